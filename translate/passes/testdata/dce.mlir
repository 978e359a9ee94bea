// RUN: dce
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<4xf32>, %m: memref<4xf32>, %c: i1) -> i1 {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    %unused = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    %unused = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  }
  return %c : i1
^bb1:
  return %c : i1
}
// CHECK: func.func @f
// CHECK-NOT: tensor.empty
// CHECK-NOT: arith.mulf
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: return
// CHECK-NOT: ^bb1
