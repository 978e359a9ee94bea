#map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>
#map1 = affine_map<(d0) -> (d0, 4)>
#map2 = affine_map<(d0)[s0] -> (d0 + 10, s0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> (d0 + 10)>
#map5 = affine_map<(d0)[s0] -> (d0, s0)>
#map6 = affine_map<(d0) -> (d0, 512)>
#map7 = affine_map<(d0) -> (d0 mod 0 + d0 floordiv -2)>
#set = affine_set<(d0)[s0] : (d0 - 10 >= 0, -d0 + s0 >= 0)>
#set1 = affine_set<(d0) : (d0 - 10 == 0)>
module {
  func.func @a(%arg0: memref<8x8xf32>, %arg1: index, %arg2: index, %arg3: f32) -> f32 {
    %0 = affine.apply #map(%arg1)[%arg2]
    affine.for %arg4 = 0 to 10 {
      %7 = affine.load %arg0[%arg4, 0] : memref<8x8xf32>
      affine.store %7, %arg0[%arg4, %arg4 + 1] : memref<8x8xf32>
      affine.for %arg5 = %arg2 to %arg2 step 2 {
        %8 = affine.load %arg0[%arg4 + symbol(%arg2), %arg5 * 2 - 1] : memref<8x8xf32>
      }
      affine.for %arg5 = max #map1(%arg4) to min #map2(%arg4)[%arg2] {
        affine.prefetch %arg0[%arg5, 0], read, locality<3>, data : memref<8x8xf32>
      }
      affine.for %arg5 = #map3(%arg4) to #map4(%arg4) {
      }
    }
    %1 = affine.for %arg4 = 0 to 10 iter_args(%arg5 = %arg3) -> (f32) {
      %7 = arith.addf %arg5, %arg5 : f32
      affine.yield %7 : f32
    }
    affine.if #set(%arg1)[%arg2] {
      affine.store %arg3, %arg0[0, 0] : memref<8x8xf32>
    } else {
      affine.store %arg3, %arg0[1, 0] : memref<8x8xf32>
    }
    %2 = affine.if #set1(%arg1) -> f32 {
      affine.yield %arg3 : f32
    } else {
      affine.yield %1 : f32
    }
    %3 = affine.min #map5(%arg1)[%arg2]
    %4 = affine.max #map6(%arg1)
    affine.parallel (%arg4, %arg5) = (0, 0) to (8, 8) {
      affine.store %arg3, %arg0[%arg4, %arg5] : memref<8x8xf32>
    }
    %5 = affine.parallel (%arg4) = (0) to (min(%arg2, 8)) step (2) reduce ("addf") -> (f32) {
      affine.yield %arg3 : f32
    }
    %6 = affine.vector_load %arg0[%arg1, 0] : memref<8x8xf32>, vector<4xf32>
    affine.vector_store %6, %arg0[%arg1, 0] : memref<8x8xf32>, vector<4xf32>
    return %2 : f32
  }
  func.func @dma(%arg0: memref<100xf32>, %arg1: memref<32xf32, 1>, %arg2: memref<1xi32>, %arg3: index) {
    affine.for %arg4 = 0 to 10 {
      affine.dma_start %arg0[%arg4 + 7], %arg1[%arg4 mod 4], %arg2[0], %arg3 : memref<100xf32>, memref<32xf32, 1>, memref<1xi32>
      affine.dma_start %arg0[%arg4 * 2 + symbol(%arg3)], %arg1[%arg4], %arg2[0], %arg3, %arg3, %arg3 : memref<100xf32>, memref<32xf32, 1>, memref<1xi32>
      affine.dma_wait %arg2[0], %arg3 : memref<1xi32>
    }
    return
  }
  func.func @divisors(%arg0: index) -> index {
    %0 = affine.apply #map7(%arg0)
    return %0 : index
  }
}
