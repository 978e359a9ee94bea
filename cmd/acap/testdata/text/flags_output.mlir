// The output goes to a file, or on in a pipe; without a file the input is the standard one.
// RUN: acap opt %s -cse -o %t | silent
// RUN: cat %t | check
// RUN: cat %s | acap opt | acap opt -cse | acap opt -o - | check
// RUN: acap opt %s -cse -emit-bytecode | acap opt | check
// RUN: acap opt %s -allow-unregistered-dialect -cse | check

// CHECK: func.func @main
// CHECK-NEXT: [[R:%[0-9]+]] = "aten.relu"
// CHECK-NEXT: "aten.add.Tensor"([[R]], [[R]])
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "aten.add.Tensor"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
