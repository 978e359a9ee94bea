// RUN: decompose

// CHECK: func.func @entry
// CHECK-NOT: aten.linear
// CHECK: aten.mm
// CHECK: return
func.func @entry(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "aten.linear"(%x, %x) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK: func.func @inside
// CHECK: scf.if
// CHECK-NOT: aten.linear
// CHECK: aten.mm
// CHECK: cf.br ^bb1
// CHECK: ^bb1
// CHECK-NOT: aten.linear
// CHECK: aten.mm
// CHECK: return
func.func @inside(%c: i1, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %w = "aten.neg"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = scf.if %c -> (tensor<4x4xf32>) {
    %0 = "aten.linear"(%w, %w) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %0 : tensor<4x4xf32>
  } else {
    scf.yield %w : tensor<4x4xf32>
  }
  cf.br ^bb1(%r : tensor<4x4xf32>)
^bb1(%z: tensor<4x4xf32>):
  %1 = "aten.linear"(%z, %z) {operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
