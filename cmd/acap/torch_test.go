package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTorch: models in torch-mlir's dialect give what the models give.
func TestTorch(t *testing.T) {
	for _, model := range []string{"mlp", "lenet"} {
		dir := filepath.Join("testdata", model)
		text := succeed(t, "emit", filepath.Join(dir, "model.pt"), "-stage", "torch")
		require.True(t, strings.Contains(text, "= torch.aten.linear %"), "operators in the dialect's own syntax")
		require.False(t, strings.Contains(text, "\"aten."), "operators of another dialect")
		path := filepath.Join(t.TempDir(), "model.mlir")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		succeed(t, "run", path, "-input", filepath.Join(dir, "input_0.npy"), "-expect", filepath.Join(dir, "output_0.npy"))
	}
}
