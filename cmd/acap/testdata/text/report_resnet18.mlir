// The first layers of ResNet-18 for pictures of 32 by 32, named and counted: aten_resnet18.mlir.
// RUN: acap opt %s -aten-op-report | check

// CHECK: "L0-convolution_overrideable-0": {
// CHECK-NEXT: "activation_in": 98304,
// CHECK-NEXT: "activation_out": 524288,
// CHECK-NEXT: "ops:+": 524288,
// CHECK-NEXT: "ops:MAC": 77070336,
// CHECK-NEXT: "parameters_in": 9408,
// CHECK-NEXT: "reads": 107712,
// CHECK-NEXT: "writes": 524288
// CHECK: "L1-native_batch_norm-0": {
// CHECK: "ops:*": 1572992,
// CHECK: "ops:sqrt": 64,
// CHECK: "L2-relu_-0": {
// CHECK: "ops:>": 524288,
// CHECK: "L3-max_pool2d_with_indices-0": {
// CHECK: "ops:>": 1048576,
// CHECK-NEXT: "reads": 524288,
// CHECK-NEXT: "writes": 262144
func.func @graph(%x: tensor<32x3x32x32xf32>, %w: tensor<64x3x7x7xf32>, %s: tensor<64xf32>) -> tensor<32x64x8x8xf32> {
  %0 = "aten.convolution_overrideable"(%x, %w) {stride = array<i64: 2, 2>, padding = array<i64: 3, 3>, dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<32x3x32x32xf32>, tensor<64x3x7x7xf32>) -> tensor<32x64x16x16xf32>
  %1:3 = "aten.native_batch_norm"(%0, %s, %s) {training = true, momentum = 0.1 : f64, eps = 1.0e-5 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<32x64x16x16xf32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<32x64x16x16xf32>, tensor<64xf32>, tensor<64xf32>)
  %2 = "aten.relu_"(%1#0) : (tensor<32x64x16x16xf32>) -> tensor<32x64x16x16xf32>
  %3:2 = "aten.max_pool2d_with_indices"(%2) {kernel_size = array<i64: 3, 3>, stride = array<i64: 2, 2>, padding = array<i64: 1, 1>} : (tensor<32x64x16x16xf32>) -> (tensor<32x64x8x8xf32>, tensor<32x64x8x8xi64>)
  return %3#0 : tensor<32x64x8x8xf32>
}
