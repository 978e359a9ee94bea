package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor/npy"
)

// TestWalkedProgram: a program on memory runs on every device, with the line of what a group
// cannot hold.
func TestWalkedProgram(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "double.mlir")
	require.NoError(t, os.WriteFile(model, []byte(`
func.func @main(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %m[%i] : memref<?xf32>
  }
  return
}`), 0o600))
	input, output := filepath.Join(dir, "in.npy"), filepath.Join(dir, "out.npy")
	require.NoError(t, npy.WriteFile(input, buf.From([]float32{1, 2, 3}, 3)))
	for _, device := range []string{"host", "acap"} {
		require.NoError(t, runModel([]string{model, "-device", device, "-input", input, "-output", output}))
		got, err := npy.ReadFile(output)
		require.NoError(t, err)
		require.Equal(t, []float64{2, 4, 6}, []float64{got.Float64(0), got.Float64(1), got.Float64(2)})
	}
}
