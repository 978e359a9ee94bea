// The result is written to memory that is given.
// RUN: acap opt %s -return-elimination -pretty | check

// CHECK: func.func @main(%x: tensor<2xf32>, %arg1: memref<2xf32>)
// CHECK-NEXT: %0 = aten.relu %x : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: bufferization.materialize_in_destination %0 in restrict writable %arg1 : (tensor<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT: return
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
