func.func @shapes() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xi64>) -> tensor<3x2xi64>
  check.expect_eq_const %0, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi64>
  %1 = stablehlo.reverse %a, dims = [1] : tensor<2x3xi64>
  check.expect_eq_const %1, dense<[[3, 2, 1], [6, 5, 4]]> : tensor<2x3xi64>
  %2 = stablehlo.slice %a [0:2, 0:3:2] : (tensor<2x3xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %2, dense<[[1, 3], [4, 6]]> : tensor<2x2xi64>
  %3 = stablehlo.concatenate %a, %2, dim = 1 : (tensor<2x3xi64>, tensor<2x2xi64>) -> tensor<2x5xi64>
  check.expect_eq_const %3, dense<[[1, 2, 3, 1, 3], [4, 5, 6, 4, 6]]> : tensor<2x5xi64>
  %nine = stablehlo.constant dense<9> : tensor<i64>
  %4 = stablehlo.pad %a, %nine, low = [0, -1], high = [1, 2], interior = [1, 1] : (tensor<2x3xi64>, tensor<i64>) -> tensor<4x6xi64>
  check.expect_eq_const %4, dense<[[9, 2, 9, 3, 9, 9], [9, 9, 9, 9, 9, 9], [9, 5, 9, 6, 9, 9], [9, 9, 9, 9, 9, 9]]> : tensor<4x6xi64>
  %5 = stablehlo.iota dim = 1 : tensor<2x3xbf16>
  check.expect_eq_const %5, dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xbf16>
  return
}

// -----

func.func @starts_are_clamped() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %far = stablehlo.constant dense<7> : tensor<i32>
  %one = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %one, %far, sizes = [1, 2] : (tensor<2x3xi64>, tensor<i32>, tensor<i32>) -> tensor<1x2xi64>
  check.expect_eq_const %0, dense<[[2, 3]]> : tensor<1x2xi64>
  %u = stablehlo.constant dense<[[0, 0]]> : tensor<1x2xi64>
  %1 = stablehlo.dynamic_update_slice %a, %u, %far, %one : (tensor<2x3xi64>, tensor<1x2xi64>, tensor<i32>, tensor<i32>) -> tensor<2x3xi64>
  check.expect_eq_const %1, dense<[[1, 2, 3], [0, 0, 6]]> : tensor<2x3xi64>
  return
}

// -----

func.func @products() {
  %a = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %b = stablehlo.constant dense<[[[1, 0], [0, 1]], [[2, 0], [0, 2]]]> : tensor<2x2x2xi64>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %0, dense<[[[1, 2], [3, 4]], [[10, 12], [14, 16]]]> : tensor<2x2x2xi64>
  %u = stablehlo.constant dense<[[200, 100]]> : tensor<1x2xui8>
  %v = stablehlo.constant dense<[[2], [255]]> : tensor<2x1xui8>
  %1 = stablehlo.dot_general %u, %v, contracting_dims = [1] x [0] : (tensor<1x2xui8>, tensor<2x1xui8>) -> tensor<1x1xui32>
  check.expect_eq_const %1, dense<25900> : tensor<1x1xui32>
  return
}

// -----

func.func @convolutions() {
  %x = stablehlo.constant dense<[[[1.0, 2.0, 3.0, 4.0]]]> : tensor<1x1x4xf32>
  %w = stablehlo.constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [2], pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  check.expect_eq_const %0, dense<[[[10.0, 32.0, 4.0]]]> : tensor<1x1x3xf32>
  %1 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {lhs_dilate = [2], rhs_dilate = [2], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x5xf32>
  check.expect_eq_const %1, dense<[[[12.0, 0.0, 23.0, 0.0, 34.0]]]> : tensor<1x1x5xf32>
  %i = stablehlo.constant dense<[[[1, 2, 3]], [[4, 5, 6]]]> : tensor<2x1x3xi32>
  %k = stablehlo.constant dense<[[[1, 1]], [[1, -1]]]> : tensor<2x1x2xi32>
  %2 = stablehlo.convolution(%i, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x1x3xi32>, tensor<2x1x2xi32>) -> tensor<1x2x2xi32>
  check.expect_eq_const %2, dense<[[[3, 5], [-1, -1]]]> : tensor<1x2x2xi32>
  return
}

// -----

func.func @normalization() {
  %x = stablehlo.constant dense<[[1.0, 10.0], [3.0, 30.0]]> : tensor<2x2xf64>
  %one = stablehlo.constant dense<1.0> : tensor<2xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<2xf64>
  %y, %mean, %variance = "stablehlo.batch_norm_training"(%x, %one, %zero) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %y, dense<[[-1.0, -1.0], [1.0, 1.0]]> : tensor<2x2xf64>
  check.expect_almost_eq_const %mean, dense<[2.0, 20.0]> : tensor<2xf64>
  check.expect_almost_eq_const %variance, dense<[1.0, 100.0]> : tensor<2xf64>
  return
}

// -----

func.func private @impl(%x: tensor<i64>) -> tensor<i64> {
  %0 = stablehlo.add %x, %x : tensor<i64>
  return %0 : tensor<i64>
}

func.func @tuples_composites_and_sizes() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %n = stablehlo.constant dense<3> : tensor<i64>
  %t = stablehlo.tuple %n : tuple<tensor<i64>>
  %u = stablehlo.tuple %a, %t : tuple<tensor<2xf64>, tuple<tensor<i64>>>
  %v = stablehlo.get_tuple_element %u[1] : (tuple<tensor<2xf64>, tuple<tensor<i64>>>) -> tuple<tensor<i64>>
  %m = stablehlo.get_tuple_element %v[0] : (tuple<tensor<i64>>) -> tensor<i64>
  check.expect_eq_const %m, dense<3> : tensor<i64>
  %c = stablehlo.composite "our.twice" %m {decomposition = @impl} : (tensor<i64>) -> tensor<i64>
  check.expect_eq_const %c, dense<6> : tensor<i64>
  %s = stablehlo.get_dimension_size %a, dim = 0 : (tensor<2xf64>) -> tensor<i32>
  check.expect_eq_const %s, dense<2> : tensor<i32>
  %b:2 = stablehlo.optimization_barrier %m, %a : tensor<i64>, tensor<2xf64>
  check.expect_eq %b#1, %a : tensor<2xf64>
  %low = stablehlo.constant dense<[1]> : tensor<1xi64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %p = stablehlo.dynamic_pad %a, %zero, %low, %low, %low : (tensor<2xf64>, tensor<f64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<5xf64>
  check.expect_eq_const %p, dense<[0.0, 1.0, 0.0, 2.0, 0.0]> : tensor<5xf64>
  return
}

// -----

func.func @of_no_elements() {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %none = stablehlo.constant dense<> : tensor<0xf32>
  %places = stablehlo.constant dense<> : tensor<0x1xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %start = stablehlo.constant dense<7.0> : tensor<f32>
  %0 = "stablehlo.scatter"(%x, %places, %none) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<3xf32>, tensor<0x1xi32>, tensor<0xf32>) -> tensor<3xf32>
  check.expect_eq %0, %x : tensor<3xf32>
  %1 = "stablehlo.scatter"(%x, %places, %none) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<3xf32>, tensor<0x1xi32>, tensor<0xf32>) -> tensor<3xf32>
  check.expect_eq %1, %x : tensor<3xf32>
  %2 = stablehlo.dynamic_update_slice %x, %none, %zero : (tensor<3xf32>, tensor<0xf32>, tensor<i32>) -> tensor<3xf32>
  check.expect_eq %2, %x : tensor<3xf32>
  %3 = stablehlo.reduce(%none init: %start) applies stablehlo.add across dimensions = [0] : (tensor<0xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq %3, %start : tensor<f32>
  %4 = stablehlo.concatenate %none, %x, dim = 0 : (tensor<0xf32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq %4, %x : tensor<3xf32>
  return
}
