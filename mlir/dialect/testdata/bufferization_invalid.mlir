func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{%t is of type tensor<4xf32>, not tensor<5xf32>}}
  %0 = bufferization.to_memref %t : memref<5xf32>
  return
}
// -----
func.func @f(%n: index) {
  // expected-error@+1 {{has 1 sizes for 2 extents that are not known}}
  %0 = bufferization.alloc_tensor(%n) : tensor<?x?xf32>
  return
}
// -----
func.func @f(%m: memref<2xf32>, %c: i1) {
  // expected-error@+1 {{needs a condition for each memory and a result for each that is retained}}
  "bufferization.dealloc"(%m, %c, %c) <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (memref<2xf32>, i1, i1) -> ()
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %u: tensor<4xf64>) {
  // expected-error@+1 {{'bufferization.materialize_in_destination'}}
  %0 = bufferization.materialize_in_destination %t in %u : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf64>
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  // expected-error@+2 {{gives tensor<4xf32>, not tensor<?xf32>}}
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<?xf32>
  return
}
