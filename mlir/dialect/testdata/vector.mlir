#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func @v(%arg0: memref<8x8xf32>, %arg1: index, %arg2: f32, %arg3: vector<4xf32>, %arg4: vector<4x8xf32>, %arg5: vector<4xi1>, %arg6: tensor<8x8xf32>, %arg7: vector<4xi32>) {
    %0 = vector.transfer_read %arg0[%arg1, %arg1], %arg2 : memref<8x8xf32>, vector<4xf32>
    %1 = vector.transfer_read %arg0[%arg1, %arg1], %arg2 {in_bounds = [true]} : memref<8x8xf32>, vector<4xf32>
    %2 = vector.transfer_read %arg0[%arg1, %arg1], %arg2 {permutation_map = #map} : memref<8x8xf32>, vector<4xf32>
    %3 = vector.transfer_read %arg0[%arg1, %arg1], %arg2, %arg5 {in_bounds = [true]} : memref<8x8xf32>, vector<4xf32>
    vector.transfer_write %arg3, %arg0[%arg1, %arg1] {in_bounds = [true]} : vector<4xf32>, memref<8x8xf32>
    %4 = vector.transfer_write %arg3, %arg6[%arg1, %arg1] : vector<4xf32>, tensor<8x8xf32>
    %5 = vector.transfer_read %arg0[%arg1, %arg1], %arg2 {in_bounds = [true, false], permutation_map = #map1} : memref<8x8xf32>, vector<4x4xf32>
    %6 = vector.broadcast %arg2 : f32 to vector<4xf32>
    %7 = vector.extract %arg4[1] : vector<8xf32> from vector<4x8xf32>
    %8 = vector.insert %arg2, %arg3 [2] : f32 into vector<4xf32>
    %9 = vector.extractelement %arg3[%arg1 : index] : vector<4xf32>
    %10 = vector.fma %arg3, %arg3, %arg3 : vector<4xf32>
    %11 = vector.splat %arg2 : vector<4xf32>
    %12 = vector.transpose %arg4, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    %13 = vector.reduction <add>, %arg3 : vector<4xf32> into f32
    %14 = vector.reduction <mul>, %arg3, %arg2 fastmath<reassoc> : vector<4xf32> into f32
    %15 = vector.multi_reduction <add>, %arg4, %arg3 [1] : vector<4x8xf32> to vector<4xf32>
    %16 = vector.outerproduct %arg3, %arg3 : vector<4xf32>, vector<4xf32>
    %17 = vector.outerproduct %arg3, %arg3, %16 {kind = #vector.kind<maxnumf>} : vector<4xf32>, vector<4xf32>
    %18 = vector.load %arg0[%arg1, %arg1] : memref<8x8xf32>, vector<4xf32>
    vector.store %arg3, %arg0[%arg1, %arg1] : memref<8x8xf32>, vector<4xf32>
    %19 = vector.maskedload %arg0[%arg1, %arg1], %arg5, %arg3 : memref<8x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.maskedstore %arg0[%arg1, %arg1], %arg5, %arg3 : memref<8x8xf32>, vector<4xi1>, vector<4xf32>
    %20 = vector.gather %arg0[%arg1, %arg1] [%arg7], %arg5, %arg3 : memref<8x8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %21 = vector.create_mask %arg1 : vector<4xi1>
    %22 = vector.constant_mask [2] : vector<4xi1>
    %23 = vector.extract_strided_slice %arg3 {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
    %24 = vector.insert_strided_slice %23, %arg3 {offsets = [1], strides = [1]} : vector<2xf32> into vector<4xf32>
    %25 = vector.shuffle %arg3, %arg3 [0, 1, 5] : vector<4xf32>, vector<4xf32>
    %26 = vector.shape_cast %arg4 : vector<4x8xf32> to vector<32xf32>
    %27 = vector.bitcast %arg3 : vector<4xf32> to vector<4xi32>
    %28 = vector.contract {indexing_maps = [#map2, #map3, #map], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %arg4, %7, %arg3 : vector<4x8xf32>, vector<8xf32> into vector<4xf32>
    %29 = vector.mask %arg5 { vector.reduction <add>, %arg3 : vector<4xf32> into f32 } : vector<4xi1> -> f32
    vector.print %arg3 : vector<4xf32>
    %vscale = vector.vscale
    %30 = vector.step : vector<4xindex>
    %31 = vector.interleave %arg3, %arg3 : vector<4xf32> -> vector<8xf32>
    %32 = vector.extract %arg4[%arg1, 1] : f32 from vector<4x8xf32>
    %dest, %accumulated_value = vector.scan <add>, %arg4, %arg3 {inclusive = true, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<4xf32>
    return
  }
  func.func @rare(%arg0: vector<3x2x4xf32>, %arg1: f32, %arg2: index, %arg3: vector<4xf32>) -> vector<4xf32> {
    %0 = vector.from_elements %arg1, %arg1, %arg1, %arg1 : vector<2x2xf32>
    %1 = vector.reshape %arg0, [%arg2, %arg2], [%arg2, %arg2], [4] : vector<3x2x4xf32> to vector<2x3x4xf32>
    vector.warp_execute_on_lane_0(%arg2)[32] {
      "some.work"() : () -> ()
    }
    %2 = vector.warp_execute_on_lane_0(%arg2)[32] args(%arg3 : vector<4xf32>) -> (vector<4xf32>) {
    ^bb0(%arg4: vector<128xf32>):
      vector.yield %arg4 : vector<128xf32>
    }
    vector.print %arg3 : vector<4xf32> punctuation <comma>
    vector.print punctuation <open>
    vector.print str "text"
    vector.print
    return %2 : vector<4xf32>
  }
  func.func @scalable(%arg0: memref<?x?xf32>, %arg1: index, %arg2: f32, %arg3: vector<[4]x2xi1>) -> vector<2x[4]xf32> {
    %0 = vector.transfer_read %arg0[%arg1, %arg1], %arg2, %arg3 {in_bounds = [true, true], permutation_map = #map4} : memref<?x?xf32>, vector<2x[4]xf32>
    return %0 : vector<2x[4]xf32>
  }
  func.func @outer(%arg0: vector<4xf32>, %arg1: vector<[8]xf32>) -> vector<4x[8]xf32> {
    %0 = vector.outerproduct %arg0, %arg1 : vector<4xf32>, vector<[8]xf32>
    return %0 : vector<4x[8]xf32>
  }
}
