// What is alive while a layer runs, and who made it.
// RUN: acap opt %s -liveness-report | check

// CHECK: "L1-relu-1": {
// CHECK-NEXT: "L0-relu-0": 2,
// CHECK-NEXT: "L1-relu-1": 2,
// CHECK-NEXT: "parameters": 2
// CHECK: "L2-add-0": {
// CHECK: "returns": 2
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "aten.add.Tensor"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
