// Attributes become the constants of 2019.
// RUN: acap opt %s -aten-to-acap-2019 -pretty | check

// CHECK: func.func @graph(%x: tensor<2x3xf32>) -> tensor<6xf32>
// CHECK-NEXT: %0 = aten.mul %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = aten.constant {type = "List[i32]", value = dense<6> : vector<1xi32>} : () -> !aten.list<i32>
// CHECK-NEXT: %2 = aten.view %0, %1 : (tensor<2x3xf32>, !aten.list<i32>) -> tensor<6xf32>
// CHECK-NEXT: return %2 : tensor<6xf32>
func.func @graph(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = "aten.mul.Tensor"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "aten.view"(%0) {size = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}
