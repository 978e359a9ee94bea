// RUN: expand-acap
func.func @nested(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<4xf32>) {
    %1 = acap.scan add %y axis 0 : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
func.func @empty(%x: tensor<0xi32>) -> tensor<0xi32> {
  %0 = acap.scan max %x axis 0 : tensor<0xi32>
  return %0 : tensor<0xi32>
}
func.func @emptyPositions(%x: tensor<0xi32>) -> tensor<0xi64> {
  %0 = acap.scan max %x axis 0 positions : tensor<0xi32>
  return %0 : tensor<0xi64>
}
// CHECK: func.func @nested
// CHECK-NOT: acap.scan
// CHECK: %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x)
// CHECK: %1 = scf.for
// CHECK: tensor.extract %y
// CHECK: %3:2 = scf.for
// CHECK: arith.addf
// CHECK: scf.yield %3#0
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %1
// CHECK: func.func @empty
// CHECK-NEXT: return %x
// CHECK: func.func @emptyPositions
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: return
