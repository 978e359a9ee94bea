package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/upstream"
	"github.com/go-acap/acap/tensor/npy"
)

// ordered uses every operation of the acap dialect and gives one matrix.
const ordered = `func.func @main(%x: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %key = arith.constant dense<-81985529216486896> : tensor<i64>
  %counter = arith.constant dense<4294967300> : tensor<i64>
  %sum = acap.scan add %x axis 0 : tensor<5x7xf32>
  %log = acap.scan logaddexp %sum axis 1 : tensor<5x7xf32>
  %low = acap.scan min %log axis 1 : tensor<5x7xf32>
  %last = acap.scan max %x axis 0 positions : tensor<5x7xf32>
  %sorted:2 = acap.sort %x axis 1 descending : tensor<5x7xf32>
  %mid:2 = acap.sort %low axis 1 from 2 : tensor<5x7xf32> to tensor<5x3xf32>
  %some = acap.scatter add %mid#0 at %mid#1 into %sorted#0 axis 1 : tensor<5x3xf32>, tensor<5x3xi64> into tensor<5x7xf32>
  %rows:2 = acap.sort %x axis 0 from 1 : tensor<5x7xf32> to tensor<4x7xf32>
  %at = arith.constant dense<[[4], [0], [4], [2]]> : tensor<4x1xi64>
  %all = acap.scatter max %rows#0 at %at into %some axis 0 : tensor<4x7xf32>, tensor<4x1xi64> into tensor<5x7xf32>
  %bits = acap.rng %key, %counter : tensor<5x7xi32>
  %empty = tensor.empty() : tensor<5x7xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%all, %low, %sorted#1, %bits, %last : tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xi64>, tensor<5x7xi32>,
        tensor<5x7xi64>)
      outs(%empty : tensor<5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: i64, %d: i32, %e: i64, %o: f32):
    %scale = arith.constant 4.656612873077393e-10 : f32
    %0 = arith.sitofp %c : i64 to f32
    %1 = arith.sitofp %d : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = arith.addf %a, %b : f32
    %4 = arith.addf %0, %2 : f32
    %5 = arith.addf %3, %4 : f32
    %6 = arith.sitofp %e : i64 to f32
    %7 = arith.addf %5, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<5x7xf32>
  return %y : tensor<5x7xf32>
}
`

// TestExpandRunsUpstream compiles the dialect's reference expansion with upstream's
// pipeline and compares with what our kernels compute.
func TestExpandRunsUpstream(t *testing.T) {
	requireUpstream(t)
	data := make([]float32, 35)
	for i := range data {
		data[i] = float32(math.Round(3*math.Sin(float64(7*i))) / 2) // with ties
	}
	in := buf.From(data, 5, 7)
	module, err := mlir.Parse("ordered.mlir", []byte(ordered))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	exe, err := compiler.Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	want, err := exe.Run(context.Background(), []*buf.Buffer{in})
	require.NoError(t, err)

	path := filepath.Join(t.TempDir(), "ordered.mlir")
	require.NoError(t, os.WriteFile(path, []byte(ordered), 0o644))
	expanded := succeed(t, "opt", "-passes", "expand-acap", path)
	require.NotContains(t, expanded, "acap.")
	again, err := mlir.Parse("expanded.mlir", []byte(expanded))
	require.NoError(t, err)
	outcomes, err := upstream.Run(context.Background(), []upstream.Program{{Module: again, Inputs: []*buf.Buffer{in}}})
	require.NoError(t, err)
	require.NoError(t, outcomes[0].Err)
	require.NoError(t, modelfile.Compare(outcomes[0].Results[0], want[0], 0, 1e-5))
}

// TestOrderedText: operators that lower to the acap dialect are printed, and what was
// printed runs.
func TestOrderedText(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	top := file("top.mlir", `func.func @main(%a: tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x4xf32>) {
  %0:2 = "aten.topk"(%a) {k = 2 : i64} : (tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi64>)
  %1 = "aten.cumsum"(%a) {dim = 1 : i64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0#0, %1 : tensor<2x2xf32>, tensor<2x4xf32>
}
`)
	in, want, sums := filepath.Join(dir, "in.npy"), filepath.Join(dir, "want.npy"), filepath.Join(dir, "sums.npy")
	require.NoError(t, npy.WriteFile(in, buf.From([]float32{3, 1, 4, 1, 5, 9, 2, 6}, 2, 4)))
	require.NoError(t, npy.WriteFile(want, buf.From([]float32{4, 3, 9, 6}, 2, 2)))
	require.NoError(t, npy.WriteFile(sums, buf.From([]float32{3, 4, 8, 9, 5, 14, 16, 22}, 2, 4)))
	for _, flags := range [][]string{nil, {"-generic"}} {
		text := succeed(t, append([]string{"emit", top, "-stage", "linalg"}, flags...)...)
		require.Contains(t, text, `"acap.sort"(`)
		require.Contains(t, text, `"acap.scan"(`)
		succeed(t, "run", file("lowered.mlir", text), "-input", in, "-expect", want, "-expect", sums)
	}
}
