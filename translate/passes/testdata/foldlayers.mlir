// Layers of trained models are folded.
// RUN: inference

// CHECK: func.func @dropout
// CHECK-NEXT: aten.relu
// CHECK-NEXT: aten.dropout %b
// CHECK-NEXT: return
func.func @dropout(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = "aten.dropout"(%x) {p = 5.0e-01 : f64, train = false} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = "aten.relu"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = "aten.dropout"(%b) {p = 5.0e-01 : f64, train = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %c : tensor<2x3xf32>
}
