func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{%x is of type !torch.vtensor<[2,3],f32>, not !torch.vtensor<[2],f32>}}
  %0 = torch.aten.relu %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{expected an integer, found "1.5"}}
  %0 = torch.constant.int 1.5
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch.derefine' !torch.float is no !torch.optional<int>}}
  %0 = torch.derefine %f : !torch.float to !torch.optional<int>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch.tensor_static_info_cast' !torch.vtensor<[2,3],f32> cannot be !torch.vtensor<[2,4],f32>}}
  %0 = torch.tensor_static_info_cast %x : !torch.vtensor<[2,3],f32> to !torch.vtensor<[2,4],f32>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch.prim.ListConstruct' puts !torch.float into !torch.list<int>}}
  %0 = torch.prim.ListConstruct %n, %f : (!torch.int, !torch.float) -> !torch.list<int>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch.prim.TupleConstruct' makes a tuple of 1, not !torch.tuple<int, int>}}
  %0 = torch.prim.TupleConstruct %n : !torch.int -> !torch.tuple<int, int>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch.prim.If' a region gives tuple<!torch.float>, not tuple<!torch.int>}}
  %0 = torch.prim.If %c -> (!torch.int) { torch.prim.If.yield %n : !torch.int } else { torch.prim.If.yield %f : !torch.float }
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch.prim.Loop' the body takes tuple<!torch.int, !torch.int>, not tuple<!torch.int>}}
  %0 = torch.prim.Loop %n, %c, init(%n) { ^bb0(%i: !torch.int): torch.prim.Loop.condition %c, iter(%n : !torch.int) } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch.bind_symbolic_shape' the symbols of a shape must come from torch.symbolic_int}}
  torch.bind_symbolic_shape %x, [%n], affine_map<()[s0] -> (s0, 3)> : !torch.vtensor<[2,3],f32>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch.bind_symbolic_shape' has 1 expressions for !torch.vtensor<[2,3],f32>}}
  %s = torch.symbolic_int "s0" {min_val = 0, max_val = 9} : !torch.int torch.bind_symbolic_shape %x, [%s], affine_map<()[s0] -> (s0)> : !torch.vtensor<[2,3],f32>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch.copy.to_vtensor' !torch.vtensor<[2],f32> is no copy of !torch.tensor}}
  %0 = "torch.copy.to_vtensor"(%t) : (!torch.tensor) -> !torch.vtensor<[2],f32>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch.global_slot.get' refers to @nothing, which no torch.global_slot here defines}}
  %0 = torch.global_slot.get @nothing : !torch.int
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch_c.to_builtin_tensor' !torch.vtensor<[2,3],f32> stands for tensor<2x3xf32>, not tensor<3x2xf32>}}
  %0 = torch_c.to_builtin_tensor %x : !torch.vtensor<[2,3],f32> -> tensor<3x2xf32>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch.aten.permute' the operand has 2 dimensions, the permutation 2 and the result 3}}
  %0 = torch.prim.ListConstruct %n, %n : (!torch.int, !torch.int) -> !torch.list<int> %1 = torch.aten.permute %x, %0 : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor<[3,2,1],f32>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[2,3],f32>, %n: !torch.int, %c: !torch.bool, %t: !torch.tensor, %f: !torch.float) {
  // expected-error@+1 {{'torch.prim.Loop.condition' stands in torch.prim.Loop, and not in func.func}}
  torch.prim.Loop.condition %c, iter()
  return
}
// -----
  // expected-error@+1 {{expected an integer, found "f32"}}
func.func @f(%x: !torch.vtensor<[2,f32>) {
// -----
  // expected-error@+1 {{a tensor does not hold elements of type tuple<>}}
func.func private @f(!torch.vtensor<[2],tuple<>>)
// -----
  // expected-error@+1 {{a tensor does not hold elements of type i9}}
func.func private @f(!torch.vtensor<[2],i9>)
// -----
  // expected-error@+1 {{there is no type !torch.frog}}
func.func private @f(!torch.frog)
// -----
  // expected-error@+1 {{there is no type !torch.i32}}
func.func private @f(!torch.list<i32>)
// -----
  // expected-error@+1 {{an extent must not be negative}}
func.func private @f(!torch.vtensor<[-2],f32>)
