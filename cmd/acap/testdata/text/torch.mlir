// RUN: acap opt %s -torch-to-aten -canonicalize | check

// CHECK: func.func @main(%arg0: tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
// CHECK-NEXT: "aten.add.Tensor"(%arg0, %arg0) {alpha = 2 : i64}
// CHECK-NEXT: "aten.sum.dim_IntList"({{.*}}) {dim = array<i64: 1>, keepdim = true}
// CHECK-NEXT: "aten.mul.Tensor"
// CHECK-NEXT: return
func.func @main(%arg0: !torch.vtensor<[1,2,3],f32>) -> !torch.vtensor<[1,2,3],f32> attributes {torch.assume_strict_symbolic_shapes} {
  %int2 = torch.constant.int 2
  %int1 = torch.constant.int 1
  %true = torch.constant.bool true
  %none = torch.constant.none
  %0 = torch.aten.add.Tensor %arg0, %arg0, %int2 : !torch.vtensor<[1,2,3],f32>, !torch.vtensor<[1,2,3],f32>, !torch.int -> !torch.vtensor<[1,2,3],f32>
  %1 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %2 = torch.aten.sum.dim_IntList %0, %1, %true, %none : !torch.vtensor<[1,2,3],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[1,1,3],f32>
  %3 = torch.aten.mul.Tensor %0, %2 : !torch.vtensor<[1,2,3],f32>, !torch.vtensor<[1,1,3],f32> -> !torch.vtensor<[1,2,3],f32>
  return %3 : !torch.vtensor<[1,2,3],f32>
}
