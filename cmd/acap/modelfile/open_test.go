package modelfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Open extents of a text of aten become the extents of the inputs, and extents that follow from these.
func TestOpenExtents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "open.mlir")
	require.NoError(t, os.WriteFile(path, []byte(`func.func @main(%x: tensor<?x8xf32>, %w: tensor<8x3xf32>) -> tensor<?x3xf32> {
  %0 = "aten.mm"(%x, %w) : (tensor<?x8xf32>, tensor<8x3xf32>) -> tensor<?x3xf32>
  %1 = "aten.relu"(%0) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}`), 0o600))
	of := func(shape ...int) ops.TensorType { return ops.TensorType{DType: dtype.F32, Shape: shape} }
	module, err := modelfile.Load(path, []ops.TensorType{of(5, 8), of(8, 3)})
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	end := module.Func("main").Body().Terminator()
	require.Equal(t, "tensor<5x3xf32>", end.Operands[0].Type.String())

	sum := filepath.Join(t.TempDir(), "sum.mlir") // the type of the result tells nothing of the inputs
	require.NoError(t, os.WriteFile(sum, []byte(`func.func @main(%x: tensor<4x?xf32>, %y: tensor<?x8xf32>) -> tensor<4x8xf32> {
  %0 = "aten.mm"(%x, %y) : (tensor<4x?xf32>, tensor<?x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}`), 0o600))
	module, err = modelfile.Load(sum, []ops.TensorType{of(4, 3), of(3, 8)})
	require.NoError(t, err)
	require.NotContains(t, module.String(), "?")
	_, err = modelfile.Load(sum, []ops.TensorType{of(4, 3), of(5, 8)})
	require.ErrorContains(t, err, "[4 3] and [5 8] cannot be multiplied")

	_, err = modelfile.Load(path, nil)
	require.ErrorContains(t, err, "open.mlir: some of its 2 inputs have open extents, and 0 are given: give -input or -shape")
	_, err = modelfile.Load(path, []ops.TensorType{of(5, 8), of(8, 4)})
	require.ErrorContains(t, err, "open.mlir: argument 1 is of type tensor<8x3xf32>, which tensor<8x4xf32> is no case of")
}
