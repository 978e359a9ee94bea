package modelfile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// TestRandomFor: inputs are of the types of the function that runs, wherever it stands; open extents have none.
func TestRandomFor(t *testing.T) {
	of := func(text string) (list []string) {
		module, err := mlir.Parse("test.mlir", []byte(text))
		require.NoError(t, err)
		for _, b := range modelfile.RandomFor(module) {
			list = append(list, mlir.Tensor(b.DType, b.Shape).String())
			for i := range b.Len() {
				require.LessOrEqual(t, b.Float64(i), 1.0)
				require.GreaterOrEqual(t, b.Float64(i), -1.0)
			}
		}
		return list
	}
	require.Equal(t, []string{"tensor<2x3xf32>", "tensor<i64>"}, of(`func.func private @other(%x: tensor<4xf16>) -> tensor<4xf16> {
  return %x : tensor<4xf16>
}
func.func @run(%x: tensor<2x3xf32>, %n: i64) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}`))
	require.Empty(t, of(`func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  return %x : tensor<?x3xf32>
}`))
}
