// A norm with fixed statistics goes into the weights and the bias of the layer before.
// RUN: acap opt %s -fold-batch-norm -pretty | check

// CHECK: func.func @main(%x: tensor<2x3xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %w = arith.constant dense<1.000000e+00> : tensor<2x3xf32>
// CHECK-NEXT: %b = arith.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: %s = arith.constant dense<2.000000e+00> : tensor<2xf32>
// CHECK-NEXT: %0 = aten.linear %x, %w, %b {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %1 = aten.add.Scalar %s {other = 0.000000e+00 : f64} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %2 = aten.rsqrt %1 : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %3 = aten.mul.Tensor %2, %s : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %4 = aten.neg %b : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %5 = aten.sub.Tensor %b, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %6 = aten.mul.Tensor %5, %3 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %7 = aten.add.Tensor %6, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %8 = aten.view %3 {size = array<i64: 2, 1>} : (tensor<2xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %9 = aten.mul.Tensor %w, %8 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %10 = aten.linear %x, %9, %7 {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: return %10 : tensor<2x2xf32>
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %w = arith.constant dense<1.0> : tensor<2x3xf32>
  %b = arith.constant dense<0.0> : tensor<2xf32>
  %s = arith.constant dense<2.0> : tensor<2xf32>
  %0 = "aten.linear"(%x, %w, %b) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = "aten.batch_norm"(%0, %s, %b, %b, %s) {training = false, momentum = 0.1 : f64, eps = 0.0 : f64, cudnn_enabled = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
