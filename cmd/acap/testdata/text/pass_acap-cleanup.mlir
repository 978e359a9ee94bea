// Calls are inlined and what is private, unused or twice there goes.
// RUN: acap opt %s -passes acap-cleanup -pretty | check

// CHECK: func.func @main(%x: tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %0 = arith.addf %x, %x : tensor<2xf32>
// CHECK-NEXT: %1 = arith.addf %0, %0 : tensor<2xf32>
// CHECK-NEXT: return %1 : tensor<2xf32>
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = call @twice(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
