// The report of a product with bias, behind a transposition: aten_addmm.mlir.
// RUN: acap opt %s -aten-op-report | check

// CHECK: "L0-t-0": {
// CHECK: "reads": 0,
// CHECK: "L1-addmm-0": {
// CHECK-NEXT: "activation_in": 1024,
// CHECK-NEXT: "activation_out": 16,
// CHECK-NEXT: "ops:+": 16,
// CHECK-NEXT: "ops:MAC": 16384,
// CHECK-NEXT: "parameters_in": 16400,
// CHECK-NEXT: "reads": 17424,
// CHECK-NEXT: "writes": 16
func.func @graph(%x: tensor<1x1024xf32>, %w: tensor<16x1024xf32>, %b: tensor<16xf32>) -> tensor<1x16xf32> {
  %0 = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
  %1 = "aten.t"(%w) : (tensor<16x1024xf32>) -> tensor<1024x16xf32>
  %2 = "aten.addmm"(%b, %x, %1, %0, %0) : (tensor<16xf32>, tensor<1x1024xf32>, tensor<1024x16xf32>, i32, i32) -> tensor<1x16xf32>
  return %2 : tensor<1x16xf32>
}
