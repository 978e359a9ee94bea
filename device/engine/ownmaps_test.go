package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// TestOwnMaps: products with maps of their own, contractions and operations of elements by kind, which linalg has
// since LLVM 20, read, print and compute; the results are by hand.
func TestOwnMaps(t *testing.T) {
	const text = `
#left = affine_map<(m, n, k) -> (k, m)>
#right = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func @main(%a: tensor<3x2xf32>, %b: tensor<3x2xf32>, %c: tensor<2x2xf32>, %v: tensor<3xf32>, %m: tensor<2x3xf32>, %i: tensor<3x2xi8>) ->
    (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x2xi32>, tensor<2x3xf32>) {
  %z = arith.constant dense<0> : tensor<2x2xi32>
  %0 = linalg.matmul indexing_maps = [#left, #right, #out] ins(%a, %b : tensor<3x2xf32>, tensor<3x2xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.contract indexing_maps = [#left, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (n, m)>]
      ins(%a, %v : tensor<3x2xf32>, tensor<3xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>]
      ins(%m, %v : tensor<2x3xf32>, tensor<3xf32>) outs(%m : tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = linalg.matmul indexing_maps = [#left, #right, #out] {cast = #linalg.type_fn<cast_unsigned>}
      ins(%i, %i : tensor<3x2xi8>, tensor<3x2xi8>) outs(%z : tensor<2x2xi32>) -> tensor<2x2xi32>
  %4 = linalg.elementwise kind=#linalg.elementwise_kind<square> ins(%m : tensor<2x3xf32>) outs(%m : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x2xi32>, tensor<2x3xf32>
}`
	module, err := mlir.Parse("maps.mlir", []byte(text))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	inputs := []*buf.Buffer{buf.From([]float32{1, 2, 3, 4, 5, 6}, 3, 2), buf.From([]float32{1, 0.5, -1, 2, 0, 1}, 3, 2),
		buf.From([]float32{10, 20, 30, 40}, 2, 2), buf.From([]float32{1, 2, 3}, 3), buf.From([]float32{1, -2, 3, 4, 5, 6}, 2, 3),
		buf.From([]int8{-1, 2, 3, -4, 5, 6}, 3, 2)}
	for _, text := range []string{text, module.Text(mlir.PrintOptions{}), module.Text(mlir.PrintOptions{Generic: true})} {
		for way, o := range backends {
			out := run(t, compile(t, text, o), inputs...)
			require.Equal(t, []float32{8, 31.5, 28, 55}, buf.Slice[float32](out[0]), way)
			require.Equal(t, []float32{32, 48, 52, 68}, buf.Slice[float32](out[1]), way)
			require.Equal(t, []float32{2, 0, 6, 5, 7, 9}, buf.Slice[float32](out[2]), way)
			require.Equal(t, []int32{65059, 1296, 1296, 63544}, buf.Slice[int32](out[3]), way)
			require.Equal(t, []float32{1, 4, 9, 16, 25, 36}, buf.Slice[float32](out[4]), way)
		}
	}
}

// TestOwnMapsRefused: a contraction without maps, and numbers of inputs that a kind does not have.
func TestOwnMapsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"linalg.contract ins(%m, %m : tensor<2x2xf32>, tensor<2x2xf32>) outs(%m : tensor<2x2xf32>) -> tensor<2x2xf32>":                                                             "needs an affine map for each of its 3 operands",
		"linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%m, %m : tensor<2x2xf32>, tensor<2x2xf32>) outs(%m : tensor<2x2xf32>) -> tensor<2x2xf32>":                       "takes 1 inputs and one output",
		"linalg.elementwise kind=#linalg.elementwise_kind<cube> ins(%m, %m, %m : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) outs(%m : tensor<2x2xf32>) -> tensor<2x2xf32>": "has no payload",
	} {
		module, err := mlir.Parse("maps.mlir", []byte("func.func @main(%m: tensor<2x2xf32>) {\n  %r = "+text+"\n  return\n}"))
		if err == nil {
			err = mlir.Verify(module)
		}
		require.ErrorContains(t, err, want)
	}
}
