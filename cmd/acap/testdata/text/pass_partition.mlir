// What the device can run becomes functions; an inverse runs on the host.
// RUN: acap opt %s -partition -pretty | check

// CHECK: func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %0 = call @main_group_0(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %1 = aten.linalg_inv %0 : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %2 = call @main_group_1(%1) : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: return %2 : tensor<2x2xf32>
// CHECK: func.func private @main_group_0(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %0 = aten.relu %arg0 : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: return %0 : tensor<2x2xf32>
// CHECK: func.func private @main_group_1(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %0 = aten.neg %arg0 : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: return %0 : tensor<2x2xf32>
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "aten.relu"(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "aten.linalg_inv"(%0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "aten.neg"(%1) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}
