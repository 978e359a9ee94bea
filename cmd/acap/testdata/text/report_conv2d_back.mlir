// The report of a convolution's gradients: aten_conv2d_back.mlir.
// RUN: acap opt %s -aten-op-report | check

// CHECK: "L0-convolution_backward_overrideable-0": {
// CHECK-NEXT: "activation_in": 5568,
// CHECK-NEXT: "grad": 5380,
// CHECK-NEXT: "ops:+": 768,
// CHECK-NEXT: "ops:MAC": 345600,
// CHECK-NEXT: "parameters_in": 576,
// CHECK-NEXT: "reads": 6144,
// CHECK-NEXT: "writes": 5380
func.func @graph(%g: tensor<3x4x8x8xf32>, %x: tensor<3x16x10x10xf32>, %w: tensor<4x16x3x3xf32>) -> tensor<3x16x10x10xf32> {
  %0:3 = "aten.convolution_backward_overrideable"(%g, %x, %w) {stride = array<i64: 1, 1>, padding = array<i64: 0, 0>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 1 : i64, output_mask = array<i1: true, true, true>} : (tensor<3x4x8x8xf32>, tensor<3x16x10x10xf32>, tensor<4x16x3x3xf32>) -> (tensor<3x16x10x10xf32>, tensor<4x16x3x3xf32>, tensor<4xf32>)
  return %0#0 : tensor<3x16x10x10xf32>
}
