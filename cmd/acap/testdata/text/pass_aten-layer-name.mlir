// Names count all layers, and those of a kind.
// RUN: acap opt %s -aten-layer-name -pretty | check

// CHECK: func.func @main(%x: tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %0 = aten.relu %x {layer_name = "L0-relu-0"} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %1 = aten.add.Tensor %0, %x {layer_name = "L1-add-0"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %2 = aten.relu %1 {layer_name = "L2-relu-1"} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %2 : tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "aten.add.Tensor"(%0, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = "aten.relu"(%1) : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
