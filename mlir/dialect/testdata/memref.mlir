module {
  func.func @m(%arg0: memref<4x?xf32>, %arg1: index, %arg2: f32, %arg3: memref<8xi8>) {
    %alloc = memref.alloc() : memref<4xf32>
    %alloc_0 = memref.alloc(%arg1) {alignment = 64 : i64} : memref<?xf32>
    %alloca = memref.alloca() : memref<4x4xf32>
    %0 = memref.load %arg0[%arg1, %arg1] : memref<4x?xf32>
    %1 = memref.load %arg0[%arg1, %arg1] {nontemporal = true} : memref<4x?xf32>
    memref.store %arg2, %arg0[%arg1, %arg1] : memref<4x?xf32>
    %subview = memref.subview %alloca[0, %arg1] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: ?>>
    %cast = memref.cast %arg0 : memref<4x?xf32> to memref<?x?xf32>
    %dim = memref.dim %arg0, %arg1 : memref<4x?xf32>
    memref.copy %arg0, %arg0 : memref<4x?xf32> to memref<4x?xf32>
    memref.dealloc %alloc : memref<4xf32>
    %reinterpret_cast = memref.reinterpret_cast %alloca to offset: [0], sizes: [16], strides: [1] : memref<4x4xf32> to memref<16xf32>
    %expand_shape = memref.expand_shape %reinterpret_cast [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
    %collapse_shape = memref.collapse_shape %expand_shape [[0, 1]] : memref<4x4xf32> into memref<16xf32>
    %2 = memref.get_global @g : memref<2xf32>
    %3 = memref.rank %arg0 : memref<4x?xf32>
    %transpose = memref.transpose %alloca (d0, d1) -> (d1, d0) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
    memref.prefetch %arg0[%arg1, %arg1], read, locality<3>, data : memref<4x?xf32>
    %4 = memref.atomic_rmw addf %arg2, %alloca[%arg1, %arg1] : (f32, memref<4x4xf32>) -> f32
    %5 = memref.generic_atomic_rmw %alloca[%arg1, %arg1] : memref<4x4xf32> {
    ^bb0(%arg4: f32):
      memref.atomic_yield %arg4 : f32
    }
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %alloca : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
    %intptr = memref.extract_aligned_pointer_as_index %alloca : memref<4x4xf32> -> index
    memref.assume_alignment %alloca, 16 : memref<4x4xf32>
    %view = memref.view %arg3[%arg1][] : memref<8xi8> to memref<2xf32>
    memref.alloca_scope  {
      %alloca_1 = memref.alloca() : memref<4xf32>
    }
    %6 = memref.alloca_scope  -> (f32) {
      memref.alloca_scope.return %arg2 : f32
    }
    %7 = memref.realloc %alloc : memref<4xf32> to memref<8xf32>
    %memspacecast = memref.memory_space_cast %alloc : memref<4xf32> to memref<4xf32, 1>
    return
  }
  memref.global "private" constant @g : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
  memref.global @h : memref<2xf32>
  memref.global "private" @u : memref<2xf32> = uninitialized
  func.func @dma(%arg0: memref<4x8xf32>, %arg1: memref<2x16xf32, 1>, %arg2: memref<1xi32>, %arg3: index, %arg4: index) {
    memref.dma_start %arg0[%arg3, %arg4], %arg1[%arg3, %arg3], %arg4, %arg2[%arg3] : memref<4x8xf32>, memref<2x16xf32, 1>, memref<1xi32>
    memref.dma_start %arg0[%arg3, %arg4], %arg1[%arg3, %arg3], %arg4, %arg2[%arg3], %arg4, %arg3 : memref<4x8xf32>, memref<2x16xf32, 1>, memref<1xi32>
    memref.dma_wait %arg2[%arg3], %arg4 : memref<1xi32>
    return
  }
  memref.global "private" constant @sparse : memref<4xf32> = sparse<[[1], [3]], [1.000000e+00, 2.000000e+00]> {alignment = 128 : i64}
  func.func @large(%arg0: memref<4x4xf32>) -> memref<9223372036854775807x2xi8> {
    %alloc = memref.alloc() : memref<9223372036854775807x2xi8>
    return %alloc : memref<9223372036854775807x2xi8>
  }
}
