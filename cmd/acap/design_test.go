package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor/npy"
)

// A design of mlir-aie runs as a model does: inputs by files or types, results to files.
func TestRunDesign(t *testing.T) {
	dir := t.TempDir()
	x := buf.From([]int32{3, 1, 4, 1, 5, 9, 2, 6}, 8)
	in, out := filepath.Join(dir, "x.npy"), filepath.Join(dir, "y.npy")
	require.NoError(t, npy.WriteFile(in, x))
	text := `module {
  aie.device(npu1) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @out(%m dimensionsToStream [<size = 2, stride = 1>, <size = 2, stride = 2>], {%s}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo.link [@in] -> [@out] ([] [])
    aie.runtime_sequence(%a: memref<8xi32>, %b: memref<8xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<8xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<8xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
`
	design := filepath.Join(dir, "design.mlir")
	require.NoError(t, os.WriteFile(design, []byte(text), 0o600))
	succeed(t, "run", design, "-input", in, "-input", in, "-output", filepath.Join(dir, "x2.npy"), "-output", out)
	y, err := npy.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, []int32{3, 4, 1, 1, 5, 2, 9, 6}, buf.Slice[int32](y))

	_, errs, status := invoke(t, "run", design, "-input", in)
	require.Equal(t, 1, status)
	require.Contains(t, errs, "1 inputs were given, the sequence of the design takes 2")
	kernels, text := filepath.Join(dir, "kernels.mlir"), succeed(t, "emit", "testdata/mlp/model.pt", "-stage", "aie")
	require.NoError(t, os.WriteFile(kernels, []byte(text), 0o600))
	_, errs, status = invoke(t, "run", kernels)
	require.Equal(t, 1, status)
	require.Contains(t, errs, "one runs at a time, from a file of its own")
	require.NoError(t, os.WriteFile(design, []byte("module {\naie.device(npu1) {\n%a = aie.tile(9, 0)\n}\n}"), 0o600))
	_, errs, status = invoke(t, "run", design, "-shape", "8xi32")
	require.Equal(t, 1, status)
	require.Contains(t, errs, "column 9")
}
