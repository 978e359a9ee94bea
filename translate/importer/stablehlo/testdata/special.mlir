func.func @special_functions() {
  %x = stablehlo.constant dense<[1.0, 2.5, 0.25]> : tensor<3xf32>
  %0 = chlo.lgamma %x : tensor<3xf32> -> tensor<3xf32>
  check.expect_almost_eq_const %0, dense<[0.0, 0.28468287, 1.2880225]> : tensor<3xf32>
  %1 = chlo.digamma %x : tensor<3xf32> -> tensor<3xf32>
  check.expect_almost_eq_const %1, dense<[-0.57721566, 0.70315664, -4.2274535]> : tensor<3xf32>
  %2 = chlo.bessel_i1e %x : tensor<3xf32> -> tensor<3xf32>
  check.expect_almost_eq_const %2, dense<[0.20791042, 0.20658465, 0.09811263]> : tensor<3xf32>
  %h = stablehlo.constant dense<[0.0, 0.5, -0.9]> : tensor<3xf32>
  %3 = chlo.erf_inv %h : tensor<3xf32> -> tensor<3xf32>
  check.expect_almost_eq_const %3, dense<[0.0, 0.47693628, -1.1630871]> : tensor<3xf32>
  %s = stablehlo.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf32>
  %4 = chlo.zeta %s, %x : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  check.expect_almost_eq_const %4, dense<[1.6449341, 0.11810203, 256.46369]> : tensor<3xf32>
  %n = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %5 = chlo.polygamma %n, %x : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  check.expect_almost_eq_const %5, dense<[-0.57721566, 0.49035776, -129.32774]> : tensor<3xf32>
  %6 = chlo.next_after %x, %s : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  check.expect_eq_const %6, dense<[0x3F800001, 0x40200001, 0x3E800001]> : tensor<3xf32>
  return
}

// -----

func.func @factors() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf32>
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %0, dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %1 = stablehlo.cholesky %a, lower = false : tensor<2x2xf32>
  check.expect_almost_eq_const %1, dense<[[2.0, 1.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %5 = stablehlo.cholesky %a : tensor<2x2xf32>
  check.expect_almost_eq_const %5, dense<[[2.0, 1.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %6 = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>
  %7 = stablehlo.custom_call @Sharding(%6) {mhlo.sharding = "{replicated}"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %7, dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[2.0, 4.0], [3.0, 8.0]]> : tensor<2x2xf32>
  %2 = "stablehlo.triangular_solve"(%0, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, 2.0], [1.0, 3.0]]> : tensor<2x2xf32>
  %3 = "stablehlo.triangular_solve"(%0, %b) {left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %3, dense<[[-1.0, -4.0], [3.0, 8.0]]> : tensor<2x2xf32>
  %4 = "stablehlo.triangular_solve"(%0, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %4, dense<[[0.0, 2.0], [-0.5, 4.0]]> : tensor<2x2xf32>
  return
}

// -----

func.func @largest() {
  %a = stablehlo.constant dense<[[3, 1, 4], [1, 5, 9]]> : tensor<2x3xi32>
  %0:2 = chlo.top_k(%a, k = 2) : tensor<2x3xi32> -> (tensor<2x2xi32>, tensor<2x2xi32>)
  check.expect_eq_const %0#0, dense<[[4, 3], [9, 5]]> : tensor<2x2xi32>
  check.expect_eq_const %0#1, dense<[[2, 0], [2, 1]]> : tensor<2x2xi32>
  return
}

// -----

func.func @batch_norm() {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 6.0]]> : tensor<2x2xf32>
  %scale = stablehlo.constant dense<[2.0, 0.5]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %mean = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %variance = stablehlo.constant dense<[3.0, 0.25]> : tensor<2xf32>
  %0 = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %0, dense<[[1.0, -1.8944272], [3.0, -0.10557281]]> : tensor<2x2xf32>
  %1:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) {epsilon = 3.0 : f32, feature_index = 0 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %1#0, dense<[[0.44529980, 1.5547002], [-1.3273268, -0.6726732]]> : tensor<2x2xf32>
  check.expect_almost_eq_const %1#1, dense<[1.5, 4.5]> : tensor<2xf32>
  check.expect_almost_eq_const %1#2, dense<[0.25, 2.25]> : tensor<2xf32>
  %g = stablehlo.constant dense<[[1.0, -2.0], [0.5, 4.0]]> : tensor<2x2xf32>
  %2:3 = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %g) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %2#1, dense<[0.5, 10.733126]> : tensor<2xf32>
  check.expect_almost_eq_const %2#2, dense<[1.5, 2.0]> : tensor<2xf32>
  check.expect_almost_eq_const %2#0, dense<[[0.25, 2.9516097], [-0.5, -2.9516097]]> : tensor<2x2xf32>
  return
}
