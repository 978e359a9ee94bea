// Every argument becomes an operand.
// RUN: acap opt %s -aten-to-torch -pretty | check

// CHECK: func.func @main(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],f32>
// CHECK-NEXT: %int = torch.constant.int 1
// CHECK-NEXT: %0 = torch.prim.ListConstruct %int : (!torch.int) -> !torch.list<int>
// CHECK-NEXT: %bool = torch.constant.bool true
// CHECK-NEXT: %none = torch.constant.none
// CHECK-NEXT: %1 = torch.aten.sum.dim_IntList %x, %0, %bool, %none : !torch.vtensor<[2,3],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[2,1],f32>
// CHECK-NEXT: return %1 : !torch.vtensor<[2,1],f32>
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
  %0 = "aten.sum.dim_IntList"(%x) {dim = array<i64: 1>, keepdim = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}
