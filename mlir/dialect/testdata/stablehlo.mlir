module {
  func.func @f(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<i1>, %arg3: tensor<i32>, %arg4: tensor<1x2x5x5xf32>, %arg5: tensor<3x2x2x2xf32>, %arg6: tensor<4xi32>) -> tensor<2x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = "stablehlo.dot_general"(%arg0, %arg1) {precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>], dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %1 = "stablehlo.reduce"(%arg0, %cst) ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %14 = stablehlo.add %arg7, %arg8 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %14 : tensor<f32>
    }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
    %3 = stablehlo.compare LT, %0, %2, FLOAT : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %4 = stablehlo.select %3, %0, %2 : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %5 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %6 = stablehlo.slice %5 [0:3:2, 0:1] : (tensor<3x2xf32>) -> tensor<2x1xf32>
    %7 = stablehlo.pad %arg0, %cst, low = [0, -1], high = [1, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
    %8:2 = "stablehlo.while"(%arg3, %4) ({
    ^bb0(%n: tensor<i32>, %m: tensor<2x4xf32>):
      %14 = stablehlo.compare LT, %n, %arg3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    }, {
    ^bb0(%n: tensor<i32>, %m: tensor<2x4xf32>):
      %14 = stablehlo.add %n, %n : (tensor<i32>, tensor<i32>) -> tensor<i32>
      stablehlo.return %14, %m : tensor<i32>, tensor<2x4xf32>
    }) : (tensor<i32>, tensor<2x4xf32>) -> (tensor<i32>, tensor<2x4xf32>)
    %9 = "stablehlo.if"(%arg2) ({
      stablehlo.return %4 : tensor<2x4xf32>
    }, {
      stablehlo.return %8#1 : tensor<2x4xf32>
    }) : (tensor<i1>) -> tensor<2x4xf32>
    %10 = "stablehlo.sort"(%9) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %14 = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    }) {dimension = 1 : i64, is_stable = true} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %11 = "stablehlo.convolution"(%arg4, %arg5) {dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x5x5xf32>, tensor<3x2x2x2xf32>) -> tensor<1x3x5x3xf32>
    %12 = "stablehlo.gather"(%arg0, %arg6) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<2x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>
    %13 = chlo.broadcast_add %arg0, %cst : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    return %10 : tensor<2x4xf32>
  }
}
