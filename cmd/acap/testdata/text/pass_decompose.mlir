// A linear layer is a product with a transposed matrix; silu has no expansion.
// RUN: acap opt %s -decompose -pretty | check

// CHECK: func.func @main(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %0 = aten.silu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = aten.t %w : (tensor<4x3xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %2 = aten.addmm %b, %0, %1 : (tensor<4xf32>, tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %2 : tensor<2x4xf32>
func.func @main(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = "aten.silu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "aten.linear"(%0, %w, %b) : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
