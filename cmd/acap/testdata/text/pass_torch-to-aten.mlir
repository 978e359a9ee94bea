// Operands that are constants become attributes.
// RUN: acap opt %s -torch-to-aten -pretty | check

// CHECK: func.func @main(%x: tensor<4x3xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %0 = aten.t %x : (tensor<4x3xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %1 = aten.relu %0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: return %1 : tensor<3x4xf32>
func.func @main(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[3,4],f32> {
  %none = torch.constant.none
  %0 = torch.aten.t %x : !torch.vtensor<[4,3],f32> -> !torch.vtensor<[3,4],f32>
  %1 = torch.aten.relu %0 : !torch.vtensor<[3,4],f32> -> !torch.vtensor<[3,4],f32>
  return %1 : !torch.vtensor<[3,4],f32>
}
