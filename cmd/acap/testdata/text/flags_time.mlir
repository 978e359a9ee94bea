// Times go to standard error, one line a pass and one of the sum.
// RUN: acap opt %s -cse -dce -mlir-timing -o %t 2>&1 | check
// RUN: acap opt %s -cse -dce -time -o %t 2>&1 | check

// CHECK: {{[0-9.]+}}{{[mµn]?}}s {{[0-9.]+}}% cse
// CHECK-NEXT: % dce
// CHECK-NEXT: 100.0% total
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "aten.add.Tensor"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
