#map = affine_map<()[s0] -> (s0, 3)>
module {
  torch.class_type @child {
  }
  torch.class_type @net {
    torch.attr "scale" : !torch.float
    torch.attr private "child" : !torch.nn.Module<"child">
  }
  %float = torch.constant.float 5.000000e-01
  %child = torch.nn_module {
  } : !torch.nn.Module<"child">
  %net = torch.nn_module {
    torch.slot "scale", %float : !torch.float
    torch.slot "child", %child : !torch.nn.Module<"child">
  } : !torch.nn.Module<"net">
  torch.global_slot @count : !torch.int
  torch.global_slot "private" @table : !torch.tensor
  torch.global_slot.module_initializer {
    %int5 = torch.constant.int 5
    %t = torch.tensor.literal(dense<1.000000e+00> : tensor<2xf32>) : !torch.tensor<[2],f32>
    torch.initialize.global_slots [@count(%int5 : !torch.int) @table(%t : !torch.tensor<[2],f32>)]
  }
  func.func @graph(%x: !torch.vtensor<[?,3],f32>, %c: !torch.bool, %n: !torch.int, %d: !torch.dict<str, tensor>) -> !torch.vtensor<[?,3],f32> {
    %s = torch.symbolic_int "s0" {min_val = 2, max_val = 6} : !torch.int
    torch.bind_symbolic_shape %x, [%s], #map : !torch.vtensor<[?,3],f32>
    %0 = torch.prim.If %c -> (!torch.vtensor<[?,3],f32>) {
      torch.prim.If.yield %x : !torch.vtensor<[?,3],f32>
    } else {
      %y = torch.aten.relu %x : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
      torch.prim.If.yield %y : !torch.vtensor<[?,3],f32>
    }
    %true = torch.constant.bool true
    %1 = torch.prim.Loop %n, %true, init(%0) {
    ^bb0(%i: !torch.int, %v: !torch.vtensor<[?,3],f32>):
      %w = torch.aten.add.Scalar %v, %i, %i : !torch.vtensor<[?,3],f32>, !torch.int, !torch.int -> !torch.vtensor<[?,3],f32>
      torch.prim.Loop.condition %true, iter(%w : !torch.vtensor<[?,3],f32>)
    } : (!torch.int, !torch.bool, !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
    %o = torch.derefine %n : !torch.int to !torch.optional<int>
    %p = torch.derefine %o : !torch.optional<int> to !torch.union<float, int, none>
    %m = torch.copy.to_tensor %1 : !torch.tensor<[?,3],f32>
    torch.overwrite.tensor.contents %0 overwrites %m : !torch.vtensor<[?,3],f32>, !torch.tensor<[?,3],f32>
    %2 = torch.copy.to_vtensor %m : !torch.vtensor<[?,3],f32>
    %unknown = torch.tensor_static_info_cast %2 : !torch.vtensor<[?,3],f32> to !torch.vtensor<*,f32>
    %3 = torch.operator "onnx.Relu"(%2) {torch.onnx.note = "x"} : (!torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
    %4 = torch.operator "onnx.If"(%c) : (!torch.bool) -> !torch.vtensor<[?,3],f32> {
      torch.operator_terminator %3 : !torch.vtensor<[?,3],f32>
    }, {
      torch.operator_terminator %2 : !torch.vtensor<[?,3],f32>
    }
    %dev = torch.constant.device "cpu"
    torch.runtime.assert %c, "a message"
    %k = torch.global_slot.get @count : !torch.int
    torch.global_slot.set @count = %k : !torch.int
    %tuple = torch.prim.TupleConstruct %k, %c : !torch.int, !torch.bool -> !torch.tuple<int, bool>
    %u:2 = torch.prim.TupleUnpack %tuple : !torch.tuple<int, bool> -> !torch.int, !torch.bool
    %key = torch.constant.str "k"
    %dict = torch.prim.DictConstruct keys(%key : !torch.str) values(%k : !torch.int) -> !torch.dict<str, int>
    %b = torch_c.to_builtin_tensor %4 : !torch.vtensor<[?,3],f32> -> tensor<?x3xf32>
    %j = torch_c.to_i64 %k
    torch.runtime.assert %u#1, "more"
    %sh = torch.shape.calculate {
      torch.shape.calculate.yield %4 : !torch.vtensor<[?,3],f32>
    } shapes {
      %int3 = torch.constant.int 3
      %l = torch.prim.ListConstruct %k, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
      torch.shape.calculate.yield.shapes %l : !torch.list<int>
    } : !torch.vtensor<[?,3],f32>
    return %sh : !torch.vtensor<[?,3],f32>
  }
}
