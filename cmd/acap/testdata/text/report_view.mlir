// The graph as a picture.
// RUN: acap opt %s -view | check

// CHECK: <svg xmlns="http://www.w3.org/2000/svg"
// CHECK: @main</text>
// CHECK: aten.add.Tensor
// CHECK: </svg>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "aten.add.Tensor"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
