package walk_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// TestPack: a tensor in tiles, with a value where a tile goes beyond it, and back; of tensor and, as since LLVM 20, of
// linalg.
func TestPack(t *testing.T) {
	for _, dialect := range []string{"tensor", "linalg"} {
		_, out, err := run(t, strings.ReplaceAll(`func.func @main(%s: tensor<3x3xf32>, %p: f32) -> (tensor<2x2x2x2xf32>, tensor<3x3xf32>) {
  %e = tensor.empty() : tensor<2x2x2x2xf32>
  %o = tensor.empty() : tensor<3x3xf32>
  %0 = $D.pack %s padding_value(%p : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<3x3xf32> -> tensor<2x2x2x2xf32>
  %1 = $D.unpack %0 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<2x2x2x2xf32> -> tensor<3x3xf32>
  return %0, %1 : tensor<2x2x2x2xf32>, tensor<3x3xf32>
}`, "$D", dialect), buf.From([]float32{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 3), buf.From([]float32{-1}))
		require.NoError(t, err)
		require.Equal(t, []float32{1, 2, 4, 5, 7, 8, -1, -1, 3, -1, 6, -1, 9, -1, -1, -1}, buf.Slice[float32](out[0]))
		require.Equal(t, []float32{1, 2, 3, 4, 5, 6, 7, 8, 9}, buf.Slice[float32](out[1]))
	}
}
