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
// -----
// expected-error@+1 {{'torch.class_type' has two attributes or methods "a"}}
torch.class_type @c {
  torch.attr "a" : !torch.int
  torch.attr "a" : !torch.float
}
// -----
torch.class_type @c {
  // expected-error@+1 {{'torch.method' refers to @g, which no func.func here defines}}
  torch.method "f", @g
}
// -----
func.func @f(%m: !torch.nn.Module<"c">) { return }
torch.class_type @c {
  // expected-error@+1 {{'torch.method' the function @f of a method is not private}}
  torch.method "f", @f
}
// -----
func.func private @f(%m: !torch.nn.Module<"c">)
torch.class_type @c {
  // expected-error@+1 {{'torch.method' the function @f of a method has no body}}
  torch.method "f", @f
}
// -----
func.func private @f(%m: !torch.nn.Module<"d">) { return }
torch.class_type @c {
  // expected-error@+1 {{'torch.method' the first argument of @f is not of type !torch.nn.Module<"c">}}
  torch.method "f", @f
}
// -----
// expected-error@+1 {{'torch.nn_module' there is no class @d}}
%m = torch.nn_module {} : !torch.nn.Module<"d">
// -----
torch.class_type @c { torch.attr "a" : !torch.int }
// expected-error@+1 {{'torch.nn_module' has 0 values for 1 attributes of @c}}
%m = torch.nn_module {} : !torch.nn.Module<"c">
// -----
torch.class_type @c { torch.attr "a" : !torch.int }
%f = torch.constant.float 1.0
// expected-error@+1 {{'torch.nn_module' value 0 is "a" of type !torch.float, and the attribute of @c "a" of type !torch.int}}
%m = torch.nn_module { torch.slot "a", %f : !torch.float } : !torch.nn.Module<"c">
// -----
// expected-error@+1 {{torch.type_bound is a type, not 1}}
func.func private @f(%x: !torch.tensor {torch.type_bound = 1})
// -----
// expected-error@+1 {{torch.type_bound bounds tensors by types of tensors, and not i32}}
func.func private @f(%x: !torch.tensor {torch.type_bound = i32})
// -----
// expected-error@+1 {{torch.type_bound bounds tensors by types of tensors, and not i32}}
func.func private @f(%x: i32 {torch.type_bound = !torch.tensor<*,f32>})
// -----
func.func @f(%x: !torch.tensor) {
  // expected-error@+1 {{'torch.prim.unchecked_cast' !torch.optional<tensor> is no !torch.tensor}}
  %0 = torch.prim.unchecked_cast %x : !torch.tensor -> !torch.optional<tensor>
  return
}
// -----
// expected-error@+1 {{'torch.tensor.literal' tensor<2x3xf32> is no !torch.tensor<[2,4],f32>}}
%0 = torch.tensor.literal(dense<1.0> : tensor<2x3xf32>) : !torch.tensor<[2,4],f32>
// -----
// expected-error@+1 {{'torch.tensor.literal' makes a torch.tensor, not i1}}
%0 = torch.tensor.literal(dense<1.0> : tensor<f32>) : i1
// -----
// expected-error@+1 {{'torch.vtensor.literal' tensor<f32> is no !torch.vtensor<[],f64>}}
%0 = torch.vtensor.literal(dense<1.0> : tensor<f32>) : !torch.vtensor<[],f64>
// -----
func.func @f(%v: !torch.vtensor<[?],f32>, %t: !torch.tensor<[1],f32>) {
  // expected-error@+1 {{'torch.overwrite.tensor.contents' !torch.vtensor<[?],f32> are no contents of !torch.tensor<[1],f32>}}
  torch.overwrite.tensor.contents %v overwrites %t : !torch.vtensor<[?],f32>, !torch.tensor<[1],f32>
  return
}
// -----
// expected-error@+1 {{'torch.global_slot.module_initializer' stands there twice: a module has one}}
torch.global_slot.module_initializer { torch.initialize.global_slots [] }
// expected-error@+1 {{'torch.global_slot.module_initializer' stands there twice: a module has one}}
torch.global_slot.module_initializer { torch.initialize.global_slots [] }
// -----
torch.global_slot @a : !torch.int
torch.global_slot @b : !torch.int
// expected-error@+1 {{'torch.global_slot.module_initializer' gives @b no value}}
torch.global_slot.module_initializer {
  %0 = torch.constant.int 1
  torch.initialize.global_slots [ @a(%0 : !torch.int) ]
}
// -----
torch.global_slot @a : !torch.int
// expected-error@+1 {{'torch.global_slot.module_initializer' initializes @a, which is no slot, or twice}}
torch.global_slot.module_initializer {
  %0 = torch.constant.int 1
  torch.initialize.global_slots [ @a(%0 : !torch.int) @a(%0 : !torch.int) ]
}
// -----
torch.global_slot @a : !torch.int
// expected-error@+1 {{'torch.global_slot.module_initializer' gives @a a value of type !torch.bool, which is no !torch.int}}
torch.global_slot.module_initializer {
  %0 = torch.constant.bool true
  torch.initialize.global_slots [ @a(%0 : !torch.bool) ]
}
// -----
torch.global_slot @a : !torch.int
// expected-error@+1 {{'torch.global_slot.module_initializer' torch.aten.neg.int is not allowed in it}}
torch.global_slot.module_initializer {
  %0 = torch.constant.int 1
  %1 = torch.aten.neg.int %0 : !torch.int -> !torch.int
  torch.initialize.global_slots [ @a(%1 : !torch.int) ]
}
// -----
func.func @f(%x: !torch.vtensor<[64,32],bf16>, %y: !torch.vtensor<[32,48],f8E5M2>, %a: !torch.vtensor<[],f32>, %b: !torch.vtensor<[],f32>, %bias: !torch.none, %r: !torch.none, %n: !torch.int, %c: !torch.bool) {
  // expected-error@+1 {{'torch.aten._scaled_mm' self is bf16, not a float of 8 or 4 bits}}
  %0 = torch.aten._scaled_mm %x, %y, %a, %b, %bias, %r, %n, %c : !torch.vtensor<[64,32],bf16>, !torch.vtensor<[32,48],f8E5M2>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.none, !torch.none, !torch.int, !torch.bool -> !torch.vtensor<[64,32],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,32],f8E4M3FN>, %y: !torch.vtensor<[2,32,48],f8E5M2>, %a: !torch.vtensor<[],f32>, %b: !torch.vtensor<[],f32>, %bias: !torch.none, %r: !torch.none, %n: !torch.int, %c: !torch.bool) {
  // expected-error@+1 {{'torch.aten._scaled_mm' mat2 has 3 dimensions, not 2}}
  %0 = torch.aten._scaled_mm %x, %y, %a, %b, %bias, %r, %n, %c : !torch.vtensor<[64,32],f8E4M3FN>, !torch.vtensor<[2,32,48],f8E5M2>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.none, !torch.none, !torch.int, !torch.bool -> !torch.vtensor<[64,32],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,32],f8E4M3FN>, %y: !torch.vtensor<[16,48],f8E5M2>, %a: !torch.vtensor<[],f32>, %b: !torch.vtensor<[],f32>, %bias: !torch.none, %r: !torch.none, %n: !torch.int, %c: !torch.bool) {
  // expected-error@+1 {{'torch.aten._scaled_mm' the rows of self have 32 numbers, and the columns of mat2 16}}
  %0 = torch.aten._scaled_mm %x, %y, %a, %b, %bias, %r, %n, %c : !torch.vtensor<[64,32],f8E4M3FN>, !torch.vtensor<[16,48],f8E5M2>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.none, !torch.none, !torch.int, !torch.bool -> !torch.vtensor<[64,32],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,24],f8E4M3FN>, %y: !torch.vtensor<[24,48],f8E5M2>, %a: !torch.vtensor<[],f32>, %b: !torch.vtensor<[],f32>, %bias: !torch.none, %r: !torch.none, %n: !torch.int, %c: !torch.bool) {
  // expected-error@+1 {{'torch.aten._scaled_mm' a row of self has 24 numbers, which is no multiple of 16}}
  %0 = torch.aten._scaled_mm %x, %y, %a, %b, %bias, %r, %n, %c : !torch.vtensor<[64,24],f8E4M3FN>, !torch.vtensor<[24,48],f8E5M2>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.none, !torch.none, !torch.int, !torch.bool -> !torch.vtensor<[64,32],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,32],f8E4M3FN>, %y: !torch.vtensor<[32,40],f8E5M2>, %a: !torch.vtensor<[],f32>, %b: !torch.vtensor<[],f32>, %bias: !torch.none, %r: !torch.none, %n: !torch.int, %c: !torch.bool) {
  // expected-error@+1 {{'torch.aten._scaled_mm' a row of mat2 has 40 numbers, which is no multiple of 16}}
  %0 = torch.aten._scaled_mm %x, %y, %a, %b, %bias, %r, %n, %c : !torch.vtensor<[64,32],f8E4M3FN>, !torch.vtensor<[32,40],f8E5M2>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.none, !torch.none, !torch.int, !torch.bool -> !torch.vtensor<[64,32],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,32],f8E4M3FN>, %y: !torch.vtensor<[32,48],f8E5M2>, %a: !torch.vtensor<[],f32>, %b: !torch.vtensor<[],f32>, %bias: !torch.vtensor<[48],f32>, %r: !torch.none, %n: !torch.int, %c: !torch.bool) {
  // expected-error@+1 {{'torch.aten._scaled_mm' the bias is f32, not bf16 or f16}}
  %0 = torch.aten._scaled_mm %x, %y, %a, %b, %bias, %r, %n, %c : !torch.vtensor<[64,32],f8E4M3FN>, !torch.vtensor<[32,48],f8E5M2>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[48],f32>, !torch.none, !torch.int, !torch.bool -> !torch.vtensor<[64,32],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,32],f8E4M3FN>, %y: !torch.vtensor<[32,48],f8E5M2>, %a: !torch.vtensor<[],f32>, %b: !torch.vtensor<[],f32>, %bias: !torch.none, %r: !torch.vtensor<[],f64>, %n: !torch.int, %c: !torch.bool) {
  // expected-error@+1 {{'torch.aten._scaled_mm' the scale of the result is f64, not f32}}
  %0 = torch.aten._scaled_mm %x, %y, %a, %b, %bias, %r, %n, %c : !torch.vtensor<[64,32],f8E4M3FN>, !torch.vtensor<[32,48],f8E5M2>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.none, !torch.vtensor<[],f64>, !torch.int, !torch.bool -> !torch.vtensor<[64,32],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,32],f8E4M3FN>, %y: !torch.vtensor<[32,48],f8E5M2>, %a: !torch.vtensor<[],f32>, %b: !torch.vtensor<[],f32>, %bias: !torch.none, %r: !torch.vtensor<[3],f32>, %n: !torch.int, %c: !torch.bool) {
  // expected-error@+1 {{'torch.aten._scaled_mm' the scale of the result has 3 numbers, not one}}
  %0 = torch.aten._scaled_mm %x, %y, %a, %b, %bias, %r, %n, %c : !torch.vtensor<[64,32],f8E4M3FN>, !torch.vtensor<[32,48],f8E5M2>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.none, !torch.vtensor<[3],f32>, !torch.int, !torch.bool -> !torch.vtensor<[64,32],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,32],f8E4M3FN>, %y: !torch.vtensor<[32,48],f8E5M2>, %a: !torch.vtensor<[],f32>, %b: !torch.vtensor<[1,48],f32>, %bias: !torch.none, %r: !torch.none, %n: !torch.int, %c: !torch.bool) {
  // expected-error@+1 {{'torch.aten._scaled_mm' one scale goes with 48: both operands have one, or both have more}}
  %0 = torch.aten._scaled_mm %x, %y, %a, %b, %bias, %r, %n, %c : !torch.vtensor<[64,32],f8E4M3FN>, !torch.vtensor<[32,48],f8E5M2>, !torch.vtensor<[],f32>, !torch.vtensor<[1,48],f32>, !torch.none, !torch.none, !torch.int, !torch.bool -> !torch.vtensor<[64,32],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,32],f8E4M3FN>, %y: !torch.vtensor<[32,48],f8E5M2>, %a: !torch.vtensor<[64,1],f32>, %b: !torch.vtensor<[1,47],f32>, %bias: !torch.none, %r: !torch.none, %n: !torch.int, %c: !torch.bool) {
  // expected-error@+1 {{'torch.aten._scaled_mm' scales of the shapes 64x1 1x47 fit neither rows and columns nor blocks of 128}}
  %0 = torch.aten._scaled_mm %x, %y, %a, %b, %bias, %r, %n, %c : !torch.vtensor<[64,32],f8E4M3FN>, !torch.vtensor<[32,48],f8E5M2>, !torch.vtensor<[64,1],f32>, !torch.vtensor<[1,47],f32>, !torch.none, !torch.none, !torch.int, !torch.bool -> !torch.vtensor<[64,32],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,32],f8E4M3FN>, %y: !torch.vtensor<[32,48],f8E5M2>, %a: !torch.vtensor<[64,1],f32>, %b: !torch.vtensor<[1,48],bf16>, %bias: !torch.none, %r: !torch.none, %n: !torch.int, %c: !torch.bool) {
  // expected-error@+1 {{'torch.aten._scaled_mm' scales are f32 and bf16, not f32}}
  %0 = torch.aten._scaled_mm %x, %y, %a, %b, %bias, %r, %n, %c : !torch.vtensor<[64,32],f8E4M3FN>, !torch.vtensor<[32,48],f8E5M2>, !torch.vtensor<[64,1],f32>, !torch.vtensor<[1,48],bf16>, !torch.none, !torch.none, !torch.int, !torch.bool -> !torch.vtensor<[64,32],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,32],f8E4M3FN>, %y: !torch.vtensor<[32,48],f8E5M2>, %a: !torch.vtensor<[64],f8E8M0FNU>, %b: !torch.vtensor<[512],f8E8M0FNU>, %bias: !torch.none, %r: !torch.none, %n: !torch.int, %c: !torch.bool) {
  // expected-error@+1 {{'torch.aten._scaled_mm' 64 and 512 scales are for blocks of another shape: 512 and 512 are wanted}}
  %0 = torch.aten._scaled_mm %x, %y, %a, %b, %bias, %r, %n, %c : !torch.vtensor<[64,32],f8E4M3FN>, !torch.vtensor<[32,48],f8E5M2>, !torch.vtensor<[64],f8E8M0FNU>, !torch.vtensor<[512],f8E8M0FNU>, !torch.none, !torch.none, !torch.int, !torch.bool -> !torch.vtensor<[64,32],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,16],f4E2M1FN>, %y: !torch.vtensor<[16,48],f32>, %s: !torch.vtensor<[],f32>, %none: !torch.none, %c: !torch.bool) {
  %0 = torch.constant.int 0
  %s1 = torch.prim.ListConstruct %s : (!torch.vtensor<[],f32>) -> !torch.list<vtensor>
  %one = torch.prim.ListConstruct %0 : (!torch.int) -> !torch.list<int>
  %dims = torch.prim.ListConstruct : () -> !torch.list<int>
  // expected-error@+1 {{'torch.aten._scaled_mm_v2' mat2 is f32, not a float of 8 or 4 bits}}
  %1 = torch.aten._scaled_mm_v2 %x, %y, %s1, %one, %one, %s1, %one, %one, %none, %0, %dims, %c : !torch.vtensor<[64,16],f4E2M1FN>, !torch.vtensor<[16,48],f32>, !torch.list<vtensor>, !torch.list<int>, !torch.list<int>, !torch.list<vtensor>, !torch.list<int>, !torch.list<int>, !torch.none, !torch.int, !torch.list<int>, !torch.bool -> !torch.vtensor<[64,48],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,12],f4E2M1FN>, %y: !torch.vtensor<[12,48],f4E2M1FN>, %s: !torch.vtensor<[],f32>, %none: !torch.none, %c: !torch.bool) {
  %0 = torch.constant.int 0
  %s1 = torch.prim.ListConstruct %s : (!torch.vtensor<[],f32>) -> !torch.list<vtensor>
  %one = torch.prim.ListConstruct %0 : (!torch.int) -> !torch.list<int>
  %dims = torch.prim.ListConstruct : () -> !torch.list<int>
  // expected-error@+1 {{'torch.aten._scaled_mm_v2' a row of self has 24 numbers, which is no multiple of 16}}
  %1 = torch.aten._scaled_mm_v2 %x, %y, %s1, %one, %one, %s1, %one, %one, %none, %0, %dims, %c : !torch.vtensor<[64,12],f4E2M1FN>, !torch.vtensor<[12,48],f4E2M1FN>, !torch.list<vtensor>, !torch.list<int>, !torch.list<int>, !torch.list<vtensor>, !torch.list<int>, !torch.list<int>, !torch.none, !torch.int, !torch.list<int>, !torch.bool -> !torch.vtensor<[64,48],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,16],f4E2M1FN>, %y: !torch.vtensor<[24,48],f4E2M1FN>, %s: !torch.vtensor<[],f32>, %none: !torch.none, %c: !torch.bool) {
  %0 = torch.constant.int 0
  %s1 = torch.prim.ListConstruct %s : (!torch.vtensor<[],f32>) -> !torch.list<vtensor>
  %one = torch.prim.ListConstruct %0 : (!torch.int) -> !torch.list<int>
  %dims = torch.prim.ListConstruct : () -> !torch.list<int>
  // expected-error@+1 {{'torch.aten._scaled_mm_v2' the rows of self have 16 numbers, and the columns of mat2 24}}
  %1 = torch.aten._scaled_mm_v2 %x, %y, %s1, %one, %one, %s1, %one, %one, %none, %0, %dims, %c : !torch.vtensor<[64,16],f4E2M1FN>, !torch.vtensor<[24,48],f4E2M1FN>, !torch.list<vtensor>, !torch.list<int>, !torch.list<int>, !torch.list<vtensor>, !torch.list<int>, !torch.list<int>, !torch.none, !torch.int, !torch.list<int>, !torch.bool -> !torch.vtensor<[64,48],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,16],f4E2M1FN>, %y: !torch.vtensor<[16,48],f4E2M1FN>, %s: !torch.vtensor<[],f32>, %none: !torch.none, %c: !torch.bool) {
  %0 = torch.constant.int 0
  %s1 = torch.prim.ListConstruct %s : (!torch.vtensor<[],f32>) -> !torch.list<vtensor>
  %one = torch.prim.ListConstruct %0 : (!torch.int) -> !torch.list<int>
  %dims = torch.prim.ListConstruct %0 : (!torch.int) -> !torch.list<int>
  // expected-error@+1 {{'torch.aten._scaled_mm_v2' contraction_dim has 1 dimensions, not 2}}
  %1 = torch.aten._scaled_mm_v2 %x, %y, %s1, %one, %one, %s1, %one, %one, %none, %0, %dims, %c : !torch.vtensor<[64,16],f4E2M1FN>, !torch.vtensor<[16,48],f4E2M1FN>, !torch.list<vtensor>, !torch.list<int>, !torch.list<int>, !torch.list<vtensor>, !torch.list<int>, !torch.list<int>, !torch.none, !torch.int, !torch.list<int>, !torch.bool -> !torch.vtensor<[64,48],bf16>
  return
}
// -----
func.func @f(%x: !torch.vtensor<[64,16],f4E2M1FN>, %y: !torch.vtensor<[16,48],f4E2M1FN>, %s: !torch.vtensor<[],f32>, %none: !torch.none, %c: !torch.bool) {
  %0 = torch.constant.int 0
  %s1 = torch.prim.ListConstruct : () -> !torch.list<vtensor>
  %one = torch.prim.ListConstruct %0 : (!torch.int) -> !torch.list<int>
  %dims = torch.prim.ListConstruct : () -> !torch.list<int>
  // expected-error@+1 {{'torch.aten._scaled_mm_v2' scale_a has 0 tensors, and recipe_a 1 words: one for each, and one at least}}
  %1 = torch.aten._scaled_mm_v2 %x, %y, %s1, %one, %one, %s1, %one, %one, %none, %0, %dims, %c : !torch.vtensor<[64,16],f4E2M1FN>, !torch.vtensor<[16,48],f4E2M1FN>, !torch.list<vtensor>, !torch.list<int>, !torch.list<int>, !torch.list<vtensor>, !torch.list<int>, !torch.list<int>, !torch.none, !torch.int, !torch.list<int>, !torch.bool -> !torch.vtensor<[64,48],bf16>
  return
}
