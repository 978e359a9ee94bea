// The graph for Graphviz.
// RUN: acap opt %s -view-dot | check

// CHECK: digraph
// CHECK: label="main"
// CHECK: [[ADD:f0n[0-9]+]] [label="aten.add.Tensor
// CHECK: -> [[ADD]];
// CHECK: [[ADD]] -> {{f0n[0-9]+}};
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "aten.add.Tensor"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
