module {
  func.func @t(%arg0: tensor<8x8xf32>, %arg1: tensor<4x1xindex>, %arg2: tensor<4x8xf32>, %arg3: tensor<2x2x4x4xf32>, %arg4: index, %arg5: f32, %arg6: f32) {
    %gather = tensor.gather %arg0[%arg1] gather_dims([0]) : (tensor<8x8xf32>, tensor<4x1xindex>) -> tensor<4x8xf32>
    %gather_0 = tensor.gather %arg0[%arg1] gather_dims([0]) unique : (tensor<8x8xf32>, tensor<4x1xindex>) -> tensor<4x1x8xf32>
    %scatter = tensor.scatter %gather_0 into %arg0[%arg1] scatter_dims([0]) unique : (tensor<4x1x8xf32>, tensor<8x8xf32>, tensor<4x1xindex>) -> tensor<8x8xf32>
    %pack = tensor.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %arg3 : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
    %pack_1 = tensor.pack %arg0 padding_value(%arg5 : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %arg3 : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
    %unpack = tensor.unpack %arg3 inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %arg0 : tensor<2x2x4x4xf32> -> tensor<8x8xf32>
    %0 = linalg.softmax dimension(1) ins(%arg0 : tensor<8x8xf32>) outs(%arg0 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%arg0, %arg0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%arg0 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = linalg.elemwise_unary {fun = #linalg.unary_fn<exp>} ins(%arg0 : tensor<8x8xf32>) outs(%arg0 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = linalg.elemwise_unary ins(%arg0 : tensor<8x8xf32>) outs(%arg0 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %f = constant @h : (i32) -> i32
    %c3_i32 = arith.constant 3 : i32
    %4 = call_indirect %f(%c3_i32) : (i32) -> i32
    %c170141183460469231731687303715884105727_i128 = arith.constant 170141183460469231731687303715884105727 : i128
    %cst = arith.constant dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>
    %cst_2 = arith.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,4.000000e+00)]> : tensor<2xcomplex<f32>>
    %cst_3 = arith.constant sparse<[[0, 0], [1, 2]], [1.000000e+00, 2.000000e+00]> : tensor<3x4xf32>
    %cst_4 = arith.constant dense<-5> : tensor<2xi128>
    %5 = ub.poison : i32
    %6 = arith.addi %c170141183460469231731687303715884105727_i128, %c170141183460469231731687303715884105727_i128 : i128
    return
  }
  func.func private @h(i32) -> i32
}
