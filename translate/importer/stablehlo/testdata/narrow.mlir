func.func @quantized() {
  %x = stablehlo.constant dense<[[0.5, -1.0], [2.25, 100.0]]> : tensor<2x2xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  %stored = stablehlo.bitcast_convert %q : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[4, 1], [7, 127]]> : tensor<2x2xi8>
  %t = stablehlo.transpose %q, dims = [1, 0]
    : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  %y = stablehlo.uniform_dequantize %t : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2xf32>
  check.expect_eq_const %y, dense<[[0.5, 2.0], [-1.0, 62.0]]> : tensor<2x2xf32>
  %sum = stablehlo.add %q, %t : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>)
    -> tensor<2x2x!quant.uniform<u8<0:200>:f32, 0.25:8>>
  %u = stablehlo.bitcast_convert %sum : (tensor<2x2x!quant.uniform<u8<0:200>:f32, 0.25:8>>) -> tensor<2x2xui8>
  check.expect_eq_const %u, dense<[[12, 12], [12, 200]]> : tensor<2x2xui8>
  return
}

// -----

func.func @quantized_products() {
  %w = stablehlo.constant() {value = dense<[[2, 4], [-6, 8]]> : tensor<2x2xi8>}
    : () -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:4}>>
  %x = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %r = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<1x2xf32>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5:0, 0.25:4}>>) -> tensor<1x2xf32>
  check.expect_eq_const %r, dense<[[-5.0, 2.0]]> : tensor<1x2xf32>
  %zero = stablehlo.constant() {value = dense<0> : tensor<i8>} : () -> tensor<!quant.uniform<i8:f32, 0.5>>
  %v = stablehlo.constant() {value = dense<[1, 2, 3]> : tensor<3xi8>} : () -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  %s = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  %bits = stablehlo.bitcast_convert %s : (tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<i8>
  check.expect_eq_const %bits, dense<6> : tensor<i8>
  return
}

// -----

func.func @tiny_floats() {
  %x = stablehlo.constant dense<[1.0, 3.0, 448.0, -0.0]> : tensor<4xf8E4M3FN>
  %y = stablehlo.constant dense<[0.0625, 10.0, 448.0, 0.0]> : tensor<4xf8E4M3FN>
  %sum = stablehlo.add %x, %y : tensor<4xf8E4M3FN>
  check.expect_eq_const %sum, dense<[1.0, 13.0, 0x7F, 0.0]> : tensor<4xf8E4M3FN>
  %bits = stablehlo.bitcast_convert %x : (tensor<4xf8E4M3FN>) -> tensor<4xui8>
  check.expect_eq_const %bits, dense<[0x38, 0x44, 0x7E, 0x80]> : tensor<4xui8>
  %back = stablehlo.bitcast_convert %bits : (tensor<4xui8>) -> tensor<4xf8E4M3FN>
  check.expect_eq %back, %x : tensor<4xf8E4M3FN>
  %f = stablehlo.convert %x : (tensor<4xf8E4M3FN>) -> tensor<4xf4E2M1FN>
  check.expect_eq_const %f, dense<[1.0, 3.0, 6.0, -0.0]> : tensor<4xf4E2M1FN>
  %n = stablehlo.convert %x : (tensor<4xf8E4M3FN>) -> tensor<4xi32>
  check.expect_eq_const %n, dense<[1, 3, 448, 0]> : tensor<4xi32>
  %d = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>) -> tensor<f32>
  check.expect_eq_const %d, dense<200734.0625> : tensor<f32>
  return
}

// -----

func.func @truths() -> tensor<i1> {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %y = stablehlo.constant dense<[2.0, 2.0]> : tensor<2xbf16>
  %n = chlo.next_after %x, %y : tensor<2xbf16>, tensor<2xbf16> -> tensor<2xbf16>
  check.expect_eq_const %n, dense<[0x3F81, 2.0]> : tensor<2xbf16>
  %0 = stablehlo.custom_call @check.eq(%n, %n) : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<i1>
  return %0 : tensor<i1>
}

// -----

func.func @random_bits() {
  %s = stablehlo.constant dense<0> : tensor<2xui64>
  %0:2 = "stablehlo.rng_bit_generator"(%s) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  check.expect_eq_const %0#0, dense<[0, 1]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[0x6B200159, 0x99BA4EFE]> : tensor<2xui32>
  %p = stablehlo.constant dense<0> : tensor<3xui64>
  %1:2 = stablehlo.rng_bit_generator %p, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xi32>)
  check.expect_eq_const %1#0, dense<[0, 2, 0]> : tensor<3xui64>
  %first = stablehlo.slice %1#1 [0:4] : (tensor<5xi32>) -> tensor<4xi32>
  check.expect_eq_const %first, dense<[0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]> : tensor<4xi32>
  return
}
