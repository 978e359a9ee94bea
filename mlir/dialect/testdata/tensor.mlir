module {
  func.func @f(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<2x4xf32>, %arg3: index, %arg4: f32, %arg5: tensor<?x3xf32>, %arg6: tensor<3xf32>, %arg7: tensor<2xf32>, %arg8: tensor<2xi64>) -> tensor<2x4xf32> {
    %0 = tensor.empty() : tensor<2x4xf32>
    %1 = tensor.empty(%arg3) : tensor<?x4xf32>
    %extracted = tensor.extract %arg0[%arg3, %arg3] : tensor<2x3xf32>
    %inserted = tensor.insert %extracted into %arg0[%arg3, %arg3] : tensor<2x3xf32>
    %cast = tensor.cast %arg0 : tensor<2x3xf32> to tensor<?x3xf32>
    %dim = tensor.dim %arg0, %arg3 : tensor<2x3xf32>
    %rank = tensor.rank %arg0 : tensor<2x3xf32>
    %from_elements = tensor.from_elements %arg4, %arg4, %arg4, %arg4 : tensor<2x2xf32>
    %splat = tensor.splat %arg4 : tensor<2xf32>
    %splat_0 = tensor.splat %arg4[%arg3] : tensor<?xf32>
    %extracted_slice = tensor.extract_slice %arg0[0, %arg3] [1, 2] [1, 1] : tensor<2x3xf32> to tensor<1x2xf32>
    %inserted_slice = tensor.insert_slice %extracted_slice into %arg0[0, %arg3] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<2x3xf32>
    %padded = tensor.pad %arg0 low[0, %arg3] high[1, 2] {
    ^bb0(%arg9: index, %arg10: index):
      tensor.yield %arg4 : f32
    } : tensor<2x3xf32> to tensor<3x?xf32>
    %padded_1 = tensor.pad %arg0 nofold low[0, 1] high[1, 2] {
    ^bb0(%arg9: index, %arg10: index):
      tensor.yield %arg4 : f32
    } {foo = 1 : i32} : tensor<2x3xf32> to tensor<3x6xf32>
    %expanded = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [1, 2, 3] : tensor<2x3xf32> into tensor<1x2x3xf32>
    %expanded_2 = tensor.expand_shape %arg5 [[0, 1], [2]] output_shape [%arg3, 2, 3] : tensor<?x3xf32> into tensor<?x2x3xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
    %concat = tensor.concat dim(0) %arg0, %arg0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
    %generated = tensor.generate %arg3 {
    ^bb0(%arg9: index, %arg10: index):
      tensor.yield %arg4 : f32
    } : tensor<?x3xf32>
    %reshape = tensor.reshape %arg0(%arg8) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
    %2 = tensor.bitcast %arg8 : tensor<2xi64> to tensor<2xui64>
    %extracted_3 = tensor.extract %arg6[%arg3] : tensor<3xf32>
    %from_elements_4 = tensor.from_elements %arg4 : tensor<f32>
    %extracted_5 = tensor.extract %from_elements_4[] : tensor<f32>
    %expanded_6 = tensor.expand_shape %from_elements_4 [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
    return %0 : tensor<2x4xf32>
  }
}
