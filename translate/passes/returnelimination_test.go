package passes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/mlirtest"
)

// TestReturnElimination: upstream reads what comes out, and layers have names.
func TestReturnElimination(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(`func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "aten.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "aten.relu"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "aten.add.Tensor"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`))
	require.NoError(t, err)
	require.NoError(t, run("aten-layer-name,return-elimination", module))
	text := module.String()
	mlirtest.Check(t, text, `
// CHECK: func.func @f(%x: tensor<4xf32>, %arg1: memref<4xf32>) {
// CHECK: {layer_name = "L0-relu-0"}
// CHECK: bufferization.materialize_in_destination %2 in restrict writable %arg1
// CHECK-NEXT: return
// CHECK: func.func @g
// CHECK: [[M:%[a-z0-9_]+]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT: call @f(%x, [[M]]) : (tensor<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT: bufferization.to_tensor [[M]] restrict writable`)
	mlirtest.Upstream(t, text, "mlir-opt-19", "-allow-unregistered-dialect")
}
