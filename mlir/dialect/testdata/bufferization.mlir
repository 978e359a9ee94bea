module {
  func.func @bu(%arg0: memref<4xf32>, %arg1: tensor<4xf32>, %arg2: index) {
    %0 = bufferization.to_tensor %arg0 restrict writable : memref<4xf32>
    %1 = bufferization.to_memref %arg1 : memref<4xf32>
    %2 = bufferization.to_memref %arg1 read_only : memref<4xf32>
    %3 = bufferization.alloc_tensor() : tensor<4xf32>
    %4 = bufferization.alloc_tensor(%arg2) : tensor<?xf32>
    %5 = bufferization.alloc_tensor() copy(%arg1) : tensor<4xf32>
    %6 = bufferization.alloc_tensor() copy(%arg1) {memory_space = 1 : i64} : tensor<4xf32>
    %7 = bufferization.clone %arg0 : memref<4xf32> to memref<4xf32>
    bufferization.dealloc_tensor %arg1 : tensor<4xf32>
    %8 = bufferization.materialize_in_destination %arg1 in %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    bufferization.materialize_in_destination %arg1 in restrict writable %arg0 : (tensor<4xf32>, memref<4xf32>) -> ()
    return
  }
  func.func @bd(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: i1) {
    %0 = bufferization.dealloc (%arg0 : memref<4xf32>) if (%arg2) retain (%arg1 : memref<4xf32>)
    bufferization.dealloc (%arg0 : memref<4xf32>) if (%arg2)
    bufferization.dealloc
    return
  }
}
