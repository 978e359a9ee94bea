// Two exponentials of one value are one.
// RUN: acap opt %s -cse -pretty | check

// CHECK: func.func @main(%x: tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %0 = math.exp %x : tensor<2xf32>
// CHECK-NEXT: %1 = arith.addf %0, %0 : tensor<2xf32>
// CHECK-NEXT: return %1 : tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.exp %x : tensor<2xf32>
  %1 = math.exp %x : tensor<2xf32>
  %2 = arith.addf %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
