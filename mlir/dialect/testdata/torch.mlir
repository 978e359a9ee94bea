module {
  func.func @graph(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[2,3],f32> {
    %int1 = torch.constant.int 1
    %int-1 = torch.constant.int -1
    %float = torch.constant.float 2.500000e-01
    %true = torch.constant.bool true
    %none = torch.constant.none
    %str = torch.constant.str "floor"
    %0 = torch.vtensor.literal(dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>) : !torch.vtensor<[3],f32>
    %1 = torch.prim.ListConstruct %int1, %int-1 : (!torch.int, !torch.int) -> !torch.list<int>
    %2 = torch.aten.add.Tensor %arg0, %0, %int1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
    %3 = torch.aten.view %2, %1 : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor<[1,6],f32>
    %4 = torch.aten.div.Tensor_mode %arg0, %2, %str : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.str -> !torch.vtensor<[2,3],f32>
    return %4 : !torch.vtensor<[2,3],f32>
  }
}
