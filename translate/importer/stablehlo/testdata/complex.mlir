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

// -----

func.func @of_two_ranks_and_kinds() {
  %z = stablehlo.constant dense<[[(1.0, 2.0), (-3.0, 4.0)], [(0.0, 0.0), (-3.0, -1.0)]]> : tensor<2x2xcomplex<f32>>
  %w = stablehlo.constant dense<[(1.0, 2.0), (-3.0, -1.0)]> : tensor<2xcomplex<f32>>
  %one = stablehlo.constant dense<(0.0, 1.0)> : tensor<complex<f32>>
  %0 = "chlo.broadcast_add"(%z, %w) : (tensor<2x2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %0, dense<[[(2.0, 4.0), (-6.0, 3.0)], [(1.0, 2.0), (-6.0, -2.0)]]> : tensor<2x2xcomplex<f32>>
  %1 = "chlo.broadcast_multiply"(%w, %z) {broadcast_dimensions = array<i64: 0>}
    : (tensor<2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %1, dense<[[(-3.0, 4.0), (-11.0, -2.0)], [(0.0, 0.0), (8.0, 6.0)]]> : tensor<2x2xcomplex<f32>>
  %2 = "chlo.broadcast_subtract"(%one, %w) : (tensor<complex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %2, dense<[(-1.0, -1.0), (3.0, 2.0)]> : tensor<2xcomplex<f32>>
  %ws = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %ne = stablehlo.compare NE, %z, %ws : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xi1>
  check.expect_eq_const %ne, dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %eq = stablehlo.compare EQ, %z, %ws : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xi1>
  check.expect_eq_const %eq, dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %some = stablehlo.convert %z : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xi1>
  check.expect_eq_const %some, dense<[[true, true], [false, true]]> : tensor<2x2xi1>
  %low = stablehlo.constant dense<(-3.0, 2.0)> : tensor<complex<f32>>
  %high = stablehlo.constant dense<(1.0, 1.0)> : tensor<complex<f32>>
  %in = stablehlo.clamp %low, %z, %high : (tensor<complex<f32>>, tensor<2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %in, dense<[[(1.0, 1.0), (-3.0, 4.0)], [(0.0, 0.0), (-3.0, 2.0)]]> : tensor<2x2xcomplex<f32>>
  %m = "stablehlo.map"(%z, %z) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %p = stablehlo.multiply %a, %b : tensor<complex<f32>>
    stablehlo.return %p : tensor<complex<f32>>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %m, dense<[[(-3.0, 4.0), (-7.0, -24.0)], [(0.0, 0.0), (8.0, 6.0)]]> : tensor<2x2xcomplex<f32>>
  %x = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %c = stablehlo.convert %x : (tensor<2xi32>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %c, dense<[(1.0, 0.0), (-2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %bytes = stablehlo.bitcast_convert %one : (tensor<complex<f32>>) -> tensor<8xi8>
  check.expect_eq_const %bytes, dense<[0, 0, 0, 0, 0, 0, -128, 63]> : tensor<8xi8>
  %again = stablehlo.bitcast_convert %bytes : (tensor<8xi8>) -> tensor<complex<f32>>
  check.expect_eq %again, %one : tensor<complex<f32>>
  %part = stablehlo.get_dimension_size %z, dim = 1 : (tensor<2x2xcomplex<f32>>) -> tensor<i32>
  check.expect_eq_const %part, dense<2> : tensor<i32>
  return
}

// -----

func.func @in_regions() {
  %z = stablehlo.constant dense<[(1.0, 2.0), (-3.0, 4.0), (0.0, 5.0), (-3.0, -1.0)]> : tensor<4xcomplex<f64>>
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f64>>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f64>>
  %w = "stablehlo.reduce_window"(%z, %zero) ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %s = stablehlo.add %a, %b : tensor<complex<f64>>
    stablehlo.return %s : tensor<complex<f64>>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
  check.expect_eq_const %w, dense<[(-2.0, 6.0), (-3.0, 9.0), (-3.0, 4.0)]> : tensor<3xcomplex<f64>>
  %p = stablehlo.reduce(%z init: %one) applies stablehlo.multiply across dimensions = [0]
    : (tensor<4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
  check.expect_eq_const %p, dense<(-85.0, 155.0)> : tensor<complex<f64>>
  %at = stablehlo.constant dense<[[1], [3], [1]]> : tensor<3x1xi32>
  %u = stablehlo.constant dense<[(1.0, 1.0), (2.0, 2.0), (3.0, -1.0)]> : tensor<3xcomplex<f64>>
  %0 = "stablehlo.scatter"(%z, %at, %u) ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %s = stablehlo.add %a, %b : tensor<complex<f64>>
    stablehlo.return %s : tensor<complex<f64>>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<4xcomplex<f64>>, tensor<3x1xi32>, tensor<3xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  check.expect_eq_const %0, dense<[(1.0, 2.0), (1.0, 4.0), (0.0, 5.0), (-1.0, 1.0)]> : tensor<4xcomplex<f64>>
  return
}
