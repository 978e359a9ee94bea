func.func @parts() {
  %z = stablehlo.constant dense<[(1.0, 2.0), (-3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %re = stablehlo.real %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %im = stablehlo.imag %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %re, dense<[1.0, -3.0]> : tensor<2xf32>
  check.expect_eq_const %im, dense<[2.0, 4.0]> : tensor<2xf32>
  %w = stablehlo.complex %im, %re : tensor<2xcomplex<f32>>
  check.expect_eq_const %w, dense<[(2.0, 1.0), (4.0, -3.0)]> : tensor<2xcomplex<f32>>
  %size = stablehlo.abs %w : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_almost_eq_const %size, dense<[2.236068, 5.0]> : tensor<2xf32>
  %p = stablehlo.multiply %z, %w : tensor<2xcomplex<f32>>
  check.expect_eq_const %p, dense<[(0.0, 5.0), (0.0, 25.0)]> : tensor<2xcomplex<f32>>
  %q = stablehlo.divide %p, %w : tensor<2xcomplex<f32>>
  check.expect_almost_eq %q, %z : tensor<2xcomplex<f32>>
  %same = stablehlo.compare EQ, %z, %w : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  check.expect_eq_const %same, dense<false> : tensor<2xi1>
  return
}

// -----

func.func @moved_and_folded() {
  %z = stablehlo.constant dense<[[(1.0, 2.0), (3.0, 4.0)], [(5.0, 6.0), (7.0, 8.0)]]> : tensor<2x2xcomplex<f64>>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f64>>
  %t = stablehlo.transpose %z, dims = [1, 0] : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %p = stablehlo.pad %t, %zero, low = [0, 1], high = [0, 0], interior = [0, 0]
    : (tensor<2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2x3xcomplex<f64>>
  check.expect_eq_const %p, dense<[[(0.0, 0.0), (1.0, 2.0), (5.0, 6.0)], [(0.0, 0.0), (3.0, 4.0), (7.0, 8.0)]]>
    : tensor<2x3xcomplex<f64>>
  %s = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %s, dense<[(4.0, 6.0), (12.0, 14.0)]> : tensor<2xcomplex<f64>>
  %d = stablehlo.dot_general %z, %z, contracting_dims = [1] x [0]
    : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  check.expect_eq_const %d, dense<[[(-12.0, 42.0), (-16.0, 62.0)], [(-20.0, 98.0), (-24.0, 150.0)]]>
    : tensor<2x2xcomplex<f64>>
  %sorted:2 = "stablehlo.sort"(%s, %s) ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>, %c: tensor<complex<f64>>, %e: tensor<complex<f64>>):
    %x = stablehlo.real %a : (tensor<complex<f64>>) -> tensor<f64>
    %y = stablehlo.real %b : (tensor<complex<f64>>) -> tensor<f64>
    %more = stablehlo.compare GT, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true}
    : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>)
  check.expect_eq_const %sorted#1, dense<[(12.0, 14.0), (4.0, 6.0)]> : tensor<2xcomplex<f64>>
  return
}

// -----

func.func @in_control_flow() {
  %z = stablehlo.constant dense<(0.0, 1.0)> : tensor<complex<f32>>
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %n = stablehlo.constant dense<0> : tensor<i32>
  %step = stablehlo.constant dense<1> : tensor<i32>
  %most = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%i = %n, %p = %one) : tensor<i32>, tensor<complex<f32>>
  cond {
    %go = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %next = stablehlo.add %i, %step : tensor<i32>
    %turned = stablehlo.multiply %p, %z : tensor<complex<f32>>
    stablehlo.return %next, %turned : tensor<i32>, tensor<complex<f32>>
  }
  check.expect_eq_const %r#1, dense<(0.0, -1.0)> : tensor<complex<f32>>
  return
}

// -----

func.func private @conjugate(%t: tuple<tensor<2xcomplex<f32>>, tensor<2xf32>>) -> tuple<tensor<2xf32>, tensor<2xcomplex<f32>>> {
  %z = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xcomplex<f32>>, tensor<2xf32>>) -> tensor<2xcomplex<f32>>
  %x = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xcomplex<f32>>, tensor<2xf32>>) -> tensor<2xf32>
  %w = chlo.conj %z : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %r = stablehlo.tuple %x, %w : tuple<tensor<2xf32>, tensor<2xcomplex<f32>>>
  return %r : tuple<tensor<2xf32>, tensor<2xcomplex<f32>>>
}

func.func @in_tuples() {
  %z = stablehlo.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  %x = stablehlo.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %t = stablehlo.tuple %z, %x : tuple<tensor<2xcomplex<f32>>, tensor<2xf32>>
  %r = call @conjugate(%t) : (tuple<tensor<2xcomplex<f32>>, tensor<2xf32>>) -> tuple<tensor<2xf32>, tensor<2xcomplex<f32>>>
  %w = stablehlo.get_tuple_element %r[1] : (tuple<tensor<2xf32>, tensor<2xcomplex<f32>>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %w, dense<[(1.0, -2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  return
}

// -----

func.func @transforms() {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0, 5.0]> : tensor<4xf32>
  %f = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %f, dense<[(11.0, 0.0), (-2.0, 3.0), (-3.0, 0.0)]> : tensor<3xcomplex<f32>>
  %b = stablehlo.fft %f, type = IRFFT, length = [4] : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  check.expect_almost_eq %b, %x : tensor<4xf32>
  %z = stablehlo.constant dense<[(1.0, 1.0), (0.0, 2.0), (-1.0, 0.0)]> : tensor<3xcomplex<f64>>
  %g = stablehlo.fft %z, type = FFT, length = [3] : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %h = stablehlo.fft %g, type = IFFT, length = [3] : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  check.expect_almost_eq %h, %z : tensor<3xcomplex<f64>>
  return
}

// -----

func.func @triangular_systems() {
  %a = stablehlo.constant dense<[[(2.0, 1.0), (9.0, 9.0)], [(1.0, -1.0), (0.0, 3.0)]]> : tensor<2x2xcomplex<f32>>
  %x = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 1.0)], [(2.0, -1.0), (1.0, 1.0)]]> : tensor<2x2xcomplex<f32>>
  %b = stablehlo.constant dense<[[(2.0, 1.0), (-1.0, 2.0)], [(4.0, 5.0), (-2.0, 4.0)]]> : tensor<2x2xcomplex<f32>>
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
    : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_almost_eq %0, %x : tensor<2x2xcomplex<f32>>
  %bt = stablehlo.transpose %b, dims = [1, 0] : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %xt = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %1 = "stablehlo.triangular_solve"(%a, %bt) {left_side = false, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose TRANSPOSE>}
    : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_almost_eq %1, %xt : tensor<2x2xcomplex<f32>>
  return
}

// -----

func.func @bits_and_conversions() {
  %z = stablehlo.constant dense<[(1.0, -2.0)]> : tensor<1xcomplex<f32>>
  %bits = stablehlo.bitcast_convert %z : (tensor<1xcomplex<f32>>) -> tensor<1x2xi32>
  check.expect_eq_const %bits, dense<[[0x3F800000, 0xC0000000]]> : tensor<1x2xi32>
  %back = stablehlo.bitcast_convert %bits : (tensor<1x2xi32>) -> tensor<1xcomplex<f32>>
  check.expect_eq %back, %z : tensor<1xcomplex<f32>>
  %wide = stablehlo.convert %z : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f64>>
  check.expect_eq_const %wide, dense<(1.0, -2.0)> : tensor<1xcomplex<f64>>
  %i = stablehlo.convert %z : (tensor<1xcomplex<f32>>) -> tensor<1xi8>
  check.expect_eq_const %i, dense<1> : tensor<1xi8>
  %up = stablehlo.iota dim = 0 : tensor<3xcomplex<f32>>
  check.expect_eq_const %up, dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  return
}
