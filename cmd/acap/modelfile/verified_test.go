package modelfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/modelfile"
)

// TestVerified: a text whose operations are not well formed is refused with their place, before rules of lowering
// read what is not there.
func TestVerified(t *testing.T) {
	for operation, want := range map[string]string{
		`"tosa.clamp"(%f) {min_fp = 1.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>`:                                                   "min_int",
		`"tosa.mul"(%i, %i, %i) {shift = 0 : i8} : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>`:                   "tosa.mul",
		`"stablehlo.abs"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`:                                                  "stablehlo.abs",
		`arith.addf %f, %f : tensor<4xf32>` + "\n" + `  %s = "arith.negf"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`: "arith.negf",
	} {
		path := filepath.Join(t.TempDir(), "m.mlir")
		require.NoError(t, os.WriteFile(path, []byte("func.func @main(%f: tensor<4xf32>, %i: tensor<4xi32>) {\n  %r = "+operation+"\n  return\n}"), 0o666))
		_, err := modelfile.Load(path, nil)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "m.mlir:")
	}
}
