#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @f(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<2x4xf32>, %arg3: index, %arg4: f32, %arg5: tensor<3xf32>, %arg6: tensor<2xf32>, %arg7: tensor<1x3x8x8xf32>, %arg8: tensor<5x3x3x3xf32>, %arg9: tensor<1x5x6x6xf32>, %arg10: tensor<1x3x7x7xf32>, %arg11: tensor<2x2xf32>, %arg12: tensor<f32>, %arg13: tensor<3x2xf32>) -> tensor<2x4xf32> {
    %0 = linalg.fill ins(%arg4 : f32) outs(%arg2 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %1 = linalg.matmul ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<3x4xf32>) outs(%0 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<2x3xf32>) outs(%arg6 : tensor<2xf32>) attrs =  {foo = 1 : i32} {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.addf %in, %out : f32
      %11 = linalg.index 0 : index
      linalg.yield %10 : f32
    } -> tensor<2xf32>
    %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg7, %arg8 : tensor<1x3x8x8xf32>, tensor<5x3x3x3xf32>) outs(%arg9 : tensor<1x5x6x6xf32>) -> tensor<1x5x6x6xf32>
    %4 = linalg.conv_2d_nchw_fchw ins(%arg7, %arg8 : tensor<1x3x8x8xf32>, tensor<5x3x3x3xf32>) outs(%arg9 : tensor<1x5x6x6xf32>) -> tensor<1x5x6x6xf32>
    %5 = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg7, %arg11 : tensor<1x3x8x8xf32>, tensor<2x2xf32>) outs(%arg10 : tensor<1x3x7x7xf32>) -> tensor<1x3x7x7xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<2x3xf32>) outs(%arg13 : tensor<3x2xf32>) permutation = [1, 0] 
    %broadcasted = linalg.broadcast ins(%arg5 : tensor<3xf32>) outs(%arg0 : tensor<2x3xf32>) dimensions = [0] 
    %reduced = linalg.reduce ins(%arg0 : tensor<2x3xf32>) outs(%arg6 : tensor<2xf32>) dimensions = [1] 
      (%in: f32, %init: f32) {
        %10 = arith.addf %in, %init : f32
        linalg.yield %10 : f32
      }
    %reduced_0 = linalg.reduce ins(%arg0 : tensor<2x3xf32>) outs(%arg6 : tensor<2xf32>) dimensions = [1] 
      (%in: f32, %init: f32) {
        %10 = arith.addf %in, %init : f32
        %11 = arith.addf %10, %init : f32
        linalg.yield %11 : f32
      }
    %mapped = linalg.map { arith.addf } ins(%arg0, %arg0 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg0 : tensor<2x3xf32>)
    %mapped_1 = linalg.map ins(%arg0, %arg0 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg0 : tensor<2x3xf32>)
      (%in: f32, %in_3: f32) {
        %10 = arith.addf %in, %in_3 : f32
        %11 = arith.addf %10, %in_3 : f32
        linalg.yield %11 : f32
      }
    %6 = linalg.add ins(%arg0, %arg0 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg0 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %7 = linalg.exp ins(%arg0 : tensor<2x3xf32>) outs(%arg0 : tensor<2x3xf32>) -> tensor<2x3xf32>
    %8 = linalg.dot ins(%arg5, %arg5 : tensor<3xf32>, tensor<3xf32>) outs(%arg12 : tensor<f32>) -> tensor<f32>
    %reduced_2 = linalg.reduce { arith.addf } ins(%arg0 : tensor<2x3xf32>) outs(%arg6 : tensor<2xf32>) dimensions = [1]  {foo = 1 : i32}
    %9:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<2x3xf32>) outs(%arg6, %arg6 : tensor<2xf32>, tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32, %out_3: f32):
      linalg.yield %in, %out : f32, f32
    } -> (tensor<2xf32>, tensor<2xf32>)
    return %1 : tensor<2x4xf32>
  }
  func.func @complex(%arg0: tensor<2x3xcomplex<f32>>, %arg1: tensor<3x4xcomplex<f32>>, %arg2: tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>> {
    %0 = linalg.matmul ins(%arg0, %arg1 : tensor<2x3xcomplex<f32>>, tensor<3x4xcomplex<f32>>) outs(%arg2 : tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    return %0 : tensor<2x4xcomplex<f32>>
  }
  func.func @vector_elements(%arg0: vector<4xf32>, %arg1: tensor<2xvector<4xf32>>) -> tensor<2xvector<4xf32>> {
    %0 = linalg.fill ins(%arg0 : vector<4xf32>) outs(%arg1 : tensor<2xvector<4xf32>>) -> tensor<2xvector<4xf32>>
    return %0 : tensor<2xvector<4xf32>>
  }
  func.func @winograd(%arg0: tensor<2x3x3x5xf32>, %arg1: tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32> {
    %0 = linalg.winograd_filter_transform m(4) r(3) ins(%arg0 : tensor<2x3x3x5xf32>) outs(%arg1 : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
    return %0 : tensor<6x6x5x2xf32>
  }
  func.func @scalar(%arg0: f32, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = linalg.elemwise_binary {fun = #linalg.binary_fn<max_signed>} ins(%arg1, %arg0 : tensor<2x3xf32>, f32) outs(%arg1 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
