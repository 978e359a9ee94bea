// What is unused and has no effect goes; a store stays.
// RUN: acap opt %s -dce -pretty | check

// CHECK: func.func @main(%x: tensor<2xf32>, %m: memref<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %f = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: memref.store %f, %m[%c0] : memref<2xf32>
// CHECK-NEXT: return %x : tensor<2xf32>
func.func @main(%x: tensor<2xf32>, %m: memref<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %0 = math.exp %x : tensor<2xf32>
  %1 = math.log %0 : tensor<2xf32>
  memref.store %f, %m[%c0] : memref<2xf32>
  return %x : tensor<2xf32>
}
