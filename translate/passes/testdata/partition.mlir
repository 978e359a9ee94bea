// Groups capture values of regions, constants go along, and what stands in the regions
// of control flow and in later blocks is partitioned as well.
// RUN: partition

// CHECK: func.func @captured
// CHECK-NEXT: %0 = call @captured_group_0(%a)
// CHECK-NEXT: %inv = aten.linalg_inv %0
// CHECK-NEXT: %1 = call @captured_group_1(%inv)
// CHECK-NEXT: return %inv, %1
func.func @captured(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
  %x = "aten.relu"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %inv = "aten.linalg_inv"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %c0 = arith.constant 0 : index
  %g = tensor.generate { ^bb0(%k: index):
     %e = tensor.extract %inv[%k, %c0] : tensor<4x4xf32>
     tensor.yield %e : f32 } : tensor<4xf32>
  return %inv, %g : tensor<4x4xf32>, tensor<4xf32>
}

// CHECK: func.func @choice
// CHECK: aten.linalg_inv
// CHECK-NEXT: scf.if %c
// CHECK-NEXT: func.call @choice_group
// CHECK-NEXT: scf.yield %0
// CHECK: scf.yield %inv
func.func @choice(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %inv = "aten.linalg_inv"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = scf.if %c -> (tensor<4x4xf32>) {
    %y = "aten.relu"(%inv) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %y : tensor<4x4xf32>
  } else {
    scf.yield %inv : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// CHECK: func.func @blocks
// CHECK-NEXT: call @blocks_group_0(%a)
// CHECK-NEXT: aten.linalg_inv %0
// CHECK-NEXT: cf.br ^bb1(%inv : tensor<4x4xf32>)
// CHECK-NEXT: ^bb1(%z: tensor<4x4xf32>)
// CHECK-NEXT: %1:2 = call @blocks_group_1(%z, %0)
// CHECK-NEXT: return %1#0, %1#1
func.func @blocks(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %x = "aten.relu"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %inv = "aten.linalg_inv"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  cf.br ^bb1(%inv : tensor<4x4xf32>)
^bb1(%z: tensor<4x4xf32>):
  %y = "aten.relu"(%z) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %v = "aten.neg"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y, %v : tensor<4x4xf32>, tensor<4x4xf32>
}

// What has effects keeps its order, although the first needs more before it.
// CHECK: func.func @effects
// CHECK: "host.print"(%inv)
// CHECK-NEXT: "host.print"(%b)
func.func @effects(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) {
  %inv = "aten.linalg_inv"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  "host.print"(%inv) : (tensor<4x4xf32>) -> ()
  "host.print"(%b) : (tensor<4x4xf32>) -> ()
  return
}

// CHECK: func.func @whole
// CHECK-NEXT: aten.relu
func.func @whole(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %x = "aten.relu"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %x : tensor<4x4xf32>
}

// CHECK: func.func private @captured_group_1
// CHECK-NEXT: arith.constant 0 : index
// CHECK: tensor.extract %arg0[%k, %c0]
