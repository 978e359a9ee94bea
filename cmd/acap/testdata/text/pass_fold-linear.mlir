// A product with a transposed weight and a bias is a linear layer.
// RUN: acap opt %s -fold-linear -pretty | check

// CHECK: func.func @main(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %0 = aten.t %w : (tensor<4x3xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %1 = aten.linear %x, %w {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %2 = aten.linear %x, %w, %b {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %2 : tensor<2x4xf32>
func.func @main(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = "aten.t"(%w) : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = "aten.mm"(%x, %0) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %2 = "aten.add.Tensor"(%1, %b) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
