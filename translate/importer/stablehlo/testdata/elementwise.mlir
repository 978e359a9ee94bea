// Every function computes from constants and checks what comes out.

func.func @integers() {
  %a = stablehlo.constant dense<[7, -7, -128, 5]> : tensor<4xi8>
  %b = stablehlo.constant dense<[2, 2, -1, 0]> : tensor<4xi8>
  %0 = stablehlo.divide %a, %b : tensor<4xi8>
  check.expect_eq_const %0, dense<[3, -3, -128, -1]> : tensor<4xi8>
  %1 = stablehlo.remainder %a, %b : tensor<4xi8>
  check.expect_eq_const %1, dense<[1, -1, 0, 5]> : tensor<4xi8>
  %2 = stablehlo.power %b, %a : tensor<4xi8>
  check.expect_eq_const %2, dense<[-128, 0, 1, 0]> : tensor<4xi8>
  %3 = stablehlo.sign %a : tensor<4xi8>
  check.expect_eq_const %3, dense<[1, -1, -1, 1]> : tensor<4xi8>
  %4 = stablehlo.popcnt %a : tensor<4xi8>
  check.expect_eq_const %4, dense<[3, 6, 1, 2]> : tensor<4xi8>
  %5 = stablehlo.not %b : tensor<4xi8>
  check.expect_eq_const %5, dense<[-3, -3, 0, -1]> : tensor<4xi8>
  return
}

// -----

func.func @unsigned() {
  %a = stablehlo.constant dense<[4294967295, 7, 2147483648]> : tensor<3xui32>
  %b = stablehlo.constant dense<[2, 0, 3]> : tensor<3xui32>
  %0 = stablehlo.divide %a, %b : tensor<3xui32>
  check.expect_eq_const %0, dense<[2147483647, 4294967295, 715827882]> : tensor<3xui32>
  %1 = stablehlo.remainder %a, %b : tensor<3xui32>
  check.expect_eq_const %1, dense<[1, 7, 2]> : tensor<3xui32>
  %2 = stablehlo.maximum %a, %b : tensor<3xui32>
  check.expect_eq %2, %a : tensor<3xui32>
  %3 = stablehlo.compare GT, %a, %b, UNSIGNED : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xi1>
  check.expect_eq_const %3, dense<true> : tensor<3xi1>
  %4 = stablehlo.convert %a : (tensor<3xui32>) -> tensor<3xf64>
  check.expect_eq_const %4, dense<[4294967295.0, 7.0, 2147483648.0]> : tensor<3xf64>
  %5 = stablehlo.shift_right_logical %a, %b : tensor<3xui32>
  check.expect_eq_const %5, dense<[1073741823, 7, 268435456]> : tensor<3xui32>
  return
}

// -----

func.func @shifts() {
  %a = stablehlo.constant dense<[-1, -8, 3, 3]> : tensor<4xi32>
  %n = stablehlo.constant dense<[31, 32, 33, 1]> : tensor<4xi32>
  %0 = stablehlo.shift_left %a, %n : tensor<4xi32>
  check.expect_eq_const %0, dense<[-2147483648, 0, 0, 6]> : tensor<4xi32>
  %1 = stablehlo.shift_right_arithmetic %a, %n : tensor<4xi32>
  check.expect_eq_const %1, dense<[-1, -1, 0, 1]> : tensor<4xi32>
  %2 = stablehlo.shift_right_logical %a, %n : tensor<4xi32>
  check.expect_eq_const %2, dense<[1, 0, 0, 1]> : tensor<4xi32>
  return
}

// -----

func.func @floats() {
  %a = stablehlo.constant dense<[-0.0, 0x7FC00000, 0x7F800000, -2.5]> : tensor<4xf32>
  %b = stablehlo.constant dense<[0.0, 1.0, 1.0, 2.0]> : tensor<4xf32>
  %0 = stablehlo.sign %a : tensor<4xf32>
  check.expect_eq_const %0, dense<[-0.0, 0x7FC00000, 1.0, -1.0]> : tensor<4xf32>
  %1 = stablehlo.maximum %a, %b : tensor<4xf32>
  check.expect_eq_const %1, dense<[0.0, 0x7FC00000, 0x7F800000, 2.0]> : tensor<4xf32>
  %2 = stablehlo.is_finite %a : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %2, dense<[true, false, false, true]> : tensor<4xi1>
  %3 = stablehlo.compare EQ, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %3, dense<false> : tensor<4xi1>
  %4 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %4, dense<[true, false, false, true]> : tensor<4xi1>
  %5 = stablehlo.compare EQ, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %5, dense<[true, false, false, false]> : tensor<4xi1>
  %6 = stablehlo.round_nearest_even %a : tensor<4xf32>
  check.expect_eq_const %6, dense<[-0.0, 0x7FC00000, 0x7F800000, -2.0]> : tensor<4xf32>
  %7 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xi8>
  check.expect_eq_const %7, dense<[0, 0, 127, -2]> : tensor<4xi8>
  %8 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xui8>
  check.expect_eq_const %8, dense<[0, 0, 255, 0]> : tensor<4xui8>
  %lo = stablehlo.constant dense<-1.0> : tensor<f32>
  %hi = stablehlo.constant dense<4.0> : tensor<f32>
  %9 = stablehlo.clamp %lo, %b, %hi : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq %9, %b : tensor<4xf32>
  return
}

// -----

func.func @reduce_precision() {
  %a = stablehlo.constant dense<[1.0009765625, 1.00146484375, 65520.0, 1.0e-5, -3.0e38, 0x7F800000]> : tensor<6xf32>
  %0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<6xf32>
  check.expect_eq_const %0, dense<[1.0009765625, 1.001953125, 0x7F800000, 0.0, 0xFF800000, 0x7F800000]> : tensor<6xf32>
  return
}

// -----

func.func @bitcasts() {
  %a = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2x2xui16>
  check.expect_eq_const %0, dense<[[0, 16256], [0, 49152]]> : tensor<2x2xui16>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2x2xui16>) -> tensor<2xf32>
  check.expect_eq %1, %a : tensor<2xf32>
  return
}

// -----

func.func @half_types_round_once() {
  %a = stablehlo.constant dense<[1.0, 256.0]> : tensor<2xbf16>
  %b = stablehlo.constant dense<[0.00390625, 1.0]> : tensor<2xbf16>
  %0 = stablehlo.add %a, %b : tensor<2xbf16>
  check.expect_eq_const %0, dense<[1.0, 256.0]> : tensor<2xbf16>
  %1 = stablehlo.constant dense<1.0> : tensor<512xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<512xbf16>, tensor<bf16>) -> tensor<bf16>
  check.expect_eq_const %2, dense<512.0> : tensor<bf16>
  return
}

// -----

func.func @broadcasting() {
  %a = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %b = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %0 = chlo.broadcast_add %a, %b : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[11, 21, 31], [12, 22, 32]]> : tensor<2x3xi32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %1, dense<[[10, 10], [20, 20], [30, 30]]> : tensor<3x2xi32>
  return
}

// -----

func.func private @twice(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %x, %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}

func.func @calls() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = func.call @twice(%a) : (tensor<2xi32>) -> tensor<2xi32>
  %1 = call @twice(%0) : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %1, dense<[4, 8]> : tensor<2xi32>
  return
}

// -----

func.func @integers_of_four_bits() {
  %a = stablehlo.constant dense<[7, -8, 3, -1]> : tensor<4xi4>
  %b = stablehlo.constant dense<[1, -1, 2, 3]> : tensor<4xi4>
  %0 = stablehlo.add %a, %b : tensor<4xi4>
  check.expect_eq_const %0, dense<[-8, 7, 5, 2]> : tensor<4xi4>
  %1 = stablehlo.divide %a, %b : tensor<4xi4>
  check.expect_eq_const %1, dense<[7, -8, 1, 0]> : tensor<4xi4>
  %2 = stablehlo.popcnt %a : tensor<4xi4>
  check.expect_eq_const %2, dense<[3, 1, 2, 4]> : tensor<4xi4>
  %3 = stablehlo.count_leading_zeros %a : tensor<4xi4>
  check.expect_eq_const %3, dense<[1, 0, 2, 0]> : tensor<4xi4>
  %4 = stablehlo.shift_right_logical %a, %b : tensor<4xi4>
  check.expect_eq_const %4, dense<[3, 0, 0, 1]> : tensor<4xi4>
  %u = stablehlo.constant dense<[15, 8, 0, 9]> : tensor<4xui4>
  %5 = stablehlo.multiply %u, %u : tensor<4xui4>
  check.expect_eq_const %5, dense<[1, 0, 0, 1]> : tensor<4xui4>
  %6 = stablehlo.convert %u : (tensor<4xui4>) -> tensor<4xf32>
  check.expect_eq_const %6, dense<[15.0, 8.0, 0.0, 9.0]> : tensor<4xf32>
  %f = stablehlo.constant dense<[100.0, -100.0, 6.5, 0x7FC00000]> : tensor<4xf32>
  %7 = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xui4>
  check.expect_eq_const %7, dense<[15, 0, 6, 0]> : tensor<4xui4>
  %8 = stablehlo.convert %f : (tensor<4xf32>) -> tensor<4xi4>
  check.expect_eq_const %8, dense<[7, -8, 6, 0]> : tensor<4xi4>
  %9 = stablehlo.convert %a : (tensor<4xi4>) -> tensor<4xi64>
  check.expect_eq_const %9, dense<[7, -8, 3, -1]> : tensor<4xi64>
  return
}

// -----

func.func @truths() {
  %p = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %q = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %and = stablehlo.and %p, %q : tensor<4xi1>
  check.expect_eq_const %and, dense<[false, false, false, true]> : tensor<4xi1>
  %or = stablehlo.or %p, %q : tensor<4xi1>
  check.expect_eq_const %or, dense<[false, true, true, true]> : tensor<4xi1>
  %xor = stablehlo.xor %p, %q : tensor<4xi1>
  check.expect_eq_const %xor, dense<[false, true, true, false]> : tensor<4xi1>
  %not = stablehlo.not %p : tensor<4xi1>
  check.expect_eq_const %not, dense<[true, true, false, false]> : tensor<4xi1>
  %add = stablehlo.add %p, %q : tensor<4xi1>
  check.expect_eq_const %add, dense<[false, true, true, true]> : tensor<4xi1>
  %mul = stablehlo.multiply %p, %q : tensor<4xi1>
  check.expect_eq_const %mul, dense<[false, false, false, true]> : tensor<4xi1>
  %max = stablehlo.maximum %p, %q : tensor<4xi1>
  check.expect_eq_const %max, dense<[false, true, true, true]> : tensor<4xi1>
  %min = stablehlo.minimum %p, %q : tensor<4xi1>
  check.expect_eq_const %min, dense<[false, false, false, true]> : tensor<4xi1>
  %lt = stablehlo.compare LT, %p, %q : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %lt, dense<[false, true, false, false]> : tensor<4xi1>
  %ge = stablehlo.compare GE, %p, %q : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %ge, dense<[true, false, true, true]> : tensor<4xi1>
  %eq = stablehlo.compare EQ, %p, %q : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %eq, dense<[true, false, false, true]> : tensor<4xi1>
  %n = stablehlo.convert %p : (tensor<4xi1>) -> tensor<4xi32>
  check.expect_eq_const %n, dense<[0, 0, 1, 1]> : tensor<4xi32>
  %f = stablehlo.convert %q : (tensor<4xi1>) -> tensor<4xbf16>
  check.expect_eq_const %f, dense<[0.0, 1.0, 0.0, 1.0]> : tensor<4xbf16>
  return
}

// -----

func.func @conversions() {
  %c = "chlo.constant"() {value = dense<[0, 2, -1]> : tensor<3xi32>} : () -> tensor<3xi32>
  %t = stablehlo.convert %c : (tensor<3xi32>) -> tensor<3xi1>
  check.expect_eq_const %t, dense<[false, true, true]> : tensor<3xi1>
  %u = stablehlo.convert %c : (tensor<3xi32>) -> tensor<3xui64>
  check.expect_eq_const %u, dense<[0, 2, 18446744073709551615]> : tensor<3xui64>
  %big = stablehlo.constant dense<[16842755, -16842755, 4194305]> : tensor<3xi64>
  %b = stablehlo.convert %big : (tensor<3xi64>) -> tensor<3xbf16>
  check.expect_eq_const %b, dense<[16908288.0, -16908288.0, 4194304.0]> : tensor<3xbf16>
  %h = stablehlo.constant dense<[1.0009765625, -1.0048828125, 65504.0]> : tensor<3xf16>
  %hb = stablehlo.convert %h : (tensor<3xf16>) -> tensor<3xbf16>
  check.expect_eq_const %hb, dense<[1.0, -1.0078125, 65536.0]> : tensor<3xbf16>
  %bh = stablehlo.convert %hb : (tensor<3xbf16>) -> tensor<3xf16>
  check.expect_eq_const %bh, dense<[0x3C00, 0xBC08, 0x7C00]> : tensor<3xf16>
  %w = stablehlo.constant dense<[4294967295, 7]> : tensor<2xui32>
  %wf = stablehlo.convert %w : (tensor<2xui32>) -> tensor<2xf64>
  check.expect_eq_const %wf, dense<[4294967295.0, 7.0]> : tensor<2xf64>
  %back = stablehlo.convert %wf : (tensor<2xf64>) -> tensor<2xui32>
  check.expect_eq %back, %w : tensor<2xui32>
  return
}

// -----

func.func @places_of_dimensions() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi32>
  %0 = "chlo.broadcast_add"(%x, %y) {broadcast_dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[11, 21], [32, 42]]> : tensor<2x2xi32>
  %1 = "chlo.broadcast_subtract"(%y, %x) {broadcast_dimensions = array<i64: 1>} : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %1, dense<[[9, 18], [29, 38]]> : tensor<2x2xi32>
  %2 = chlo.broadcast_multiply %y, %x : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %2, dense<[[10, 40], [30, 80]]> : tensor<2x2xi32>
  %image = stablehlo.constant dense<[[[1], [2], [3]]]> : tensor<1x3x1xi32>
  %window = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %edges = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  %3 = "stablehlo.dynamic_conv"(%image, %window, %edges) {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}
    : (tensor<1x3x1xi32>, tensor<2x1x1xi32>, tensor<1x2xi64>) -> tensor<1x3x1xi32>
  check.expect_eq_const %3, dense<[[[10], [21], [32]]]> : tensor<1x3x1xi32>
  %s = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.subtract %zero, %a : tensor<i32>
    %m = stablehlo.subtract %zero, %b : tensor<i32>
    %less = stablehlo.compare LT, %n, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %s, dense<[2, 1]> : tensor<2xi32>
  %one = stablehlo.constant dense<[[7]]> : tensor<1x1xi32>
  %i = stablehlo.constant dense<0> : tensor<i64>
  %d = stablehlo.dynamic_slice %one, %i, %i, sizes = [1, 1] : (tensor<1x1xi32>, tensor<i64>, tensor<i64>) -> tensor<1x1xi32>
  check.expect_eq_const %d, dense<7> : tensor<1x1xi32>
  %i32 = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce"(%x, %i32) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %t = stablehlo.multiply %a, %ten : tensor<i32>
    %sum = stablehlo.add %t, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %r, dense<12> : tensor<i32>
  return
}
