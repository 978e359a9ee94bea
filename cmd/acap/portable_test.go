package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A portable artifact of a model computes what the model does, and is of the stage stablehlo alone.
func TestEmitPortable(t *testing.T) {
	model := filepath.Join("testdata", "mlp", "model.pt")
	dir := t.TempDir()
	artifact := filepath.Join(dir, "mlp.mlir.bc")
	out := succeed(t, "emit", model, "-stage", "stablehlo", "-portable", "1.0.0", "-shape", "2x784")
	require.NoError(t, os.WriteFile(artifact, []byte(out), 0o600))
	first, second := filepath.Join(dir, "a.npy"), filepath.Join(dir, "b.npy")
	succeed(t, "run", model, "-shape", "2x784", "-output", first)
	succeed(t, "run", artifact, "-shape", "2x784", "-expect", first, "-output", second)
	_, errs, status := invoke(t, "emit", model, "-stage", "linalg", "-portable", "1.0.0", "-shape", "2x784")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "-portable changes nothing in the stage linalg: use the flag with -stage stablehlo")
	_, errs, status = invoke(t, "emit", model, "-stage", "stablehlo", "-portable", "0.9.0", "-shape", "2x784")
	require.Equal(t, 2, status)
	require.Contains(t, errs, "1.10.0, 1.9.0")
}
