// Expansion and lowering without groups.
// RUN: acap opt %s -passes aten-to-linalg -pretty | check

// CHECK: func.func @main
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: linalg.transpose
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: return
// CHECK-NOT: aten.
func.func @main(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = "aten.silu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "aten.linear"(%0, %w, %b) : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
