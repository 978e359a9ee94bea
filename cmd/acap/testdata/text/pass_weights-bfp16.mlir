// Weights are rounded to blocks with one exponent, along what the product sums, and so is what they are multiplied by.
// RUN: acap opt %s -weights-bfp16 -pretty | check

// CHECK: %w = arith.constant
// CHECK-NEXT: %0 = aten._to_bfp16 %x : (tensor<1x4xf32>) -> tensor<1x4xbf16>
// CHECK-NEXT: %1 = aten._to_copy %0 {dtype = f32} : (tensor<1x4xbf16>) -> tensor<1x4xf32>
// CHECK-NEXT: %2 = aten.t %w : (tensor<4x2xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %3 = aten._to_bfp16 %2 : (tensor<2x4xf32>) -> tensor<2x4xbf16>
// CHECK-NEXT: %4 = aten.t %3 : (tensor<2x4xbf16>) -> tensor<4x2xbf16>
// CHECK-NEXT: %5 = aten._to_copy %4 {dtype = f32} : (tensor<4x2xbf16>) -> tensor<4x2xf32>
// CHECK-NEXT: %y = aten.mm %1, %5 : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
func.func @main(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %w = arith.constant dense<[[1.0, 0.3], [0.5, -0.7], [0.01, 2.0], [-3.1, 0.0]]> : tensor<4x2xf32>
  %y = "aten.mm"(%x, %w) : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
