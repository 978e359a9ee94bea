// The report of a rectifier: aten_relu.mlir.
// RUN: acap opt %s -aten-op-report | check

// CHECK: "L0-relu-0": {
// CHECK-NEXT: "activation_in": 6,
// CHECK-NEXT: "activation_out": 6,
// CHECK-NEXT: "ops:>": 6,
// CHECK-NEXT: "reads": 6,
// CHECK-NEXT: "writes": 6
func.func @graph(%x: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
  %0 = "aten.relu"(%x) : (tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}
