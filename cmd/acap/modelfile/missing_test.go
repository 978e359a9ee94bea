package modelfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/modelfile"
)

// What is missing is named with its type, as far as the file has one, from the first input that was not given.
func TestMissing(t *testing.T) {
	two := filepath.Join(t.TempDir(), "two.mlir")
	require.NoError(t, os.WriteFile(two, []byte("func.func @main(%x: tensor<2x3xf32>, %m: tensor<ui8>) -> tensor<2x3xf32> { "+
		"return %x : tensor<2x3xf32> }"), 0o600))
	require.ErrorContains(t, modelfile.Missing(two, 0),
		"two.mlir: 0 of 2 inputs given, missing input_0 (x: f32 [2 3]), input_1 (m: u8 []): give all of them in order by -input FILE.npy, "+
			"or put them beside the model as input_0.npy, input_1.npy and so on; -shape in place of -input makes random ones")
	require.ErrorContains(t, modelfile.Missing(two, 1), "1 of 2 inputs given, missing input_1 (m: u8 []):")
	require.NoError(t, modelfile.Missing(two, 2))
	require.NoError(t, modelfile.Missing(two, 3))
	require.NoError(t, modelfile.Missing(filepath.Join(t.TempDir(), "nothing.pt"), 0), "another error says so")

	const importers = "../../../translate/importer/"
	require.ErrorContains(t, modelfile.Missing(importers+"torchscript/testdata/linear.pt2", 0), "missing input_0 (x: f32 [1 3]):")
	require.NoError(t, modelfile.Missing(importers+"torchscript/testdata/linear.pt2", 1))
	require.ErrorContains(t, modelfile.Missing(importers+"torchscript/testdata/net.pt", 0), "missing input_0 (x):")
}
