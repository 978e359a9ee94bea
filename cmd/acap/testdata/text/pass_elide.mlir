// A constant of many elements becomes a placeholder, one of two stays.
// RUN: acap opt %s -elide -pretty | check

// CHECK: func.func @main() -> (tensor<2xf32>, tensor<40xi64>)
// CHECK-NEXT: %cst = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: %cst_0 = arith.constant dense_resource<__elided__> : tensor<40xi64>
// CHECK-NEXT: return %cst, %cst_0 : tensor<2xf32>, tensor<40xi64>
func.func @main() -> (tensor<2xf32>, tensor<40xi64>) {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]> : tensor<40xi64>
  return %0, %1 : tensor<2xf32>, tensor<40xi64>
}
