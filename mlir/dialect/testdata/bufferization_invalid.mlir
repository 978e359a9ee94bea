func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{%t is of type tensor<4xf32>, not tensor<5xf32>}}
  %0 = bufferization.to_memref %t : memref<5xf32>
  return
}
