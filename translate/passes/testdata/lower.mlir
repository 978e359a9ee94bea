// RUN: lower-to-linalg

// CHECK: func.func @loop
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: aten.linalg_inv
// CHECK: scf.yield
// CHECK-NOT: aten.relu
func.func @loop(%a: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4x4xf32>) {
    %y = "aten.relu"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %z = "aten.linalg_inv"(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %z : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// Unsigned tensors stay what they are for everything but the lowered operations.
// CHECK-LABEL: func.func @unsigned(%x: tensor<4xui8>, %c: i1) -> (tensor<4xui8>, tensor<4xi1>)
// CHECK-NEXT: [[X:%[0-9a-z_]+]] = tensor.bitcast %x : tensor<4xui8> to tensor<4xi8>
// CHECK: linalg.generic {{.*}} ins([[X]], [[X]] :
// CHECK: [[SUM:%[0-9]+]] = tensor.bitcast {{.*}} : tensor<4xi8> to tensor<4xui8>
// CHECK: cf.cond_br %c, ^bb1([[SUM]] : tensor<4xui8>), ^bb1(%x : tensor<4xui8>)
// CHECK: ^bb1(%y: tensor<4xui8>)
// CHECK-NEXT: tensor.bitcast %y : tensor<4xui8> to tensor<4xi8>
// CHECK-NOT: ui8
// CHECK: return %y, {{.*}} : tensor<4xui8>, tensor<4xi1>
func.func @unsigned(%x: tensor<4xui8>, %c: i1) -> (tensor<4xui8>, tensor<4xi1>) {
  %0 = "aten.add.Tensor"(%x, %x) : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  cf.cond_br %c, ^bb1(%0 : tensor<4xui8>), ^bb1(%x : tensor<4xui8>)
^bb1(%y: tensor<4xui8>):
  %1 = "aten.lt.Tensor"(%0, %y) : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  return %y, %1 : tensor<4xui8>, tensor<4xi1>
}
