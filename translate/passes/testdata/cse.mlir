// RUN: cse
func.func @aten(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
  %1 = "aten.add"(%x, %x, %0) : (tensor<2xf32>, tensor<2xf32>, i32) -> tensor<2xf32>
  %2 = "aten.constant"() {value = 1 : i32, type = "i32"} : () -> i32
  %3 = "aten.add"(%x, %x, %2) : (tensor<2xf32>, tensor<2xf32>, i32) -> tensor<2xf32>
  %4 = "aten.mul"(%1, %3) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  "aten.add_"(%4, %x, %0) : (tensor<2xf32>, tensor<2xf32>, i32) -> ()
  "aten.add_"(%4, %x, %0) : (tensor<2xf32>, tensor<2xf32>, i32) -> ()
  return %4 : tensor<2xf32>
}
// CHECK: func.func @aten
// CHECK-NEXT: %0 = aten.constant
// CHECK-NEXT: %1 = aten.add %x, %x, %0
// CHECK-NEXT: %2 = aten.mul %1, %1
// CHECK-NEXT: aten.add_
// CHECK-NEXT: aten.add_
// CHECK-NEXT: return %2

#id = affine_map<(d0) -> (d0)>
func.func @regions(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%c: f32, %d: f32):
    %s = arith.addf %c, %c : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%c: f32, %d: f32):
    %s = arith.mulf %c, %c : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// CHECK: func.func @regions
// CHECK: %0 = linalg.generic
// CHECK: arith.addf
// CHECK: %1 = linalg.generic
// CHECK: arith.mulf
// CHECK: return %0, %0, %1

func.func @branches(%c: i1, %x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %1 = arith.addi %x, %x : i32
  %2 = arith.muli %x, %1 : i32
  cf.br ^bb3(%2 : i32)
^bb2:
  %3 = arith.muli %x, %0 : i32
  cf.br ^bb3(%3 : i32)
^bb3(%4: i32):
  %5 = arith.muli %x, %0 : i32
  %6 = arith.addi %4, %5 : i32
  return %6 : i32
}
// CHECK: func.func @branches
// CHECK-NEXT: %0 = arith.addi
// CHECK-NEXT: cf.cond_br
// CHECK-NEXT: ^bb1
// CHECK-NEXT: arith.muli %x, %0
// CHECK: ^bb2
// CHECK-NEXT: arith.muli %x, %0
// CHECK: ^bb3(%3: i32)
// CHECK-NEXT: arith.muli %x, %0

func.func @signs(%x: f32) -> (f32, f32) {
  %0 = arith.constant 0.0 : f32
  %1 = arith.constant -0.0 : f32
  return %0, %1 : f32, f32
}
// CHECK: return %cst, %cst_0
