// The report of a sum: npcomp's test/Dialect/ATen/aten_add.mlir.
// RUN: acap opt %s -aten-op-report | check

// CHECK: "L0-add-0": {
// CHECK-NEXT: "activation_in": 12,
// CHECK-NEXT: "activation_out": 6,
// CHECK-NEXT: "ops:+": 6,
// CHECK-NEXT: "reads": 12,
// CHECK-NEXT: "writes": 6
func.func @graph(%a: tensor<1x2x3xf32>, %b: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
  %0 = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
  %1 = "aten.add"(%a, %b, %0) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, i32) -> tensor<1x2x3xf32>
  return %1 : tensor<1x2x3xf32>
}
