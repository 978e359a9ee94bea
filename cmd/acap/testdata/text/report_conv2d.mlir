// The report of a convolution with stride: aten_conv2d.mlir.
// RUN: acap opt %s -aten-op-report | check

// CHECK: "L0-convolution-0": {
// CHECK-NEXT: "activation_in": 32768,
// CHECK-NEXT: "activation_out": 65536,
// CHECK-NEXT: "ops:+": 65536,
// CHECK-NEXT: "ops:MAC": 6422528,
// CHECK-NEXT: "parameters_in": 1584,
// CHECK-NEXT: "reads": 34352,
// CHECK-NEXT: "writes": 65536
func.func @graph(%x: tensor<1x2x128x128xf32>, %w: tensor<16x2x7x7xf32>, %b: tensor<16xf32>) -> tensor<1x16x64x64xf32> {
  %0 = "aten.convolution"(%x, %w, %b) {stride = array<i64: 2, 2>, padding = array<i64: 3, 3>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<1x2x128x128xf32>, tensor<16x2x7x7xf32>, tensor<16xf32>) -> tensor<1x16x64x64xf32>
  return %0 : tensor<1x16x64x64xf32>
}
