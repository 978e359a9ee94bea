// Scalars and lists of 2019 become attributes, and a factor of one goes.
// RUN: acap opt %s -acap-2019-to-aten -pretty | check

// CHECK: func.func @graph(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<6xf32>
// CHECK-NEXT: %0 = aten.add.Tensor %x, %y {alpha = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = aten.view %0 {size = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
// CHECK-NEXT: return %1 : tensor<6xf32>
func @graph(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = "aten.constant"() {type = "i32", value = 2 : i32} : () -> i32
  %1 = "aten.add"(%x, %y, %0) : (tensor<2x3xf32>, tensor<2x3xf32>, i32) -> tensor<2x3xf32>
  %2 = "aten.constant"() {type = "List[i32]", value = dense<[6]> : vector<1xi32>} : () -> !aten.list<i32>
  %3 = "aten.view"(%1, %2) : (tensor<2x3xf32>, !aten.list<i32>) -> tensor<6xf32>
  return %3 : tensor<6xf32>
}
