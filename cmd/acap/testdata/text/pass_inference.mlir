// What a trained model does not need.
// RUN: acap opt %s -passes inference -pretty | check

// CHECK: func.func @main(%x: tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %0 = aten.relu %x : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %1 = aten.dropout %0 {p = 5.000000e-01 : f64, train = true} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %1 : tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.dropout"(%x) {p = 0.5 : f64, train = false} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "aten.relu"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "aten.dropout"(%1) {p = 0.5 : f64, train = true} : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
