// Operations of TOSA 1.0. WANT has what LLVM 22 computes (tosa-to-linalg and mlir-runner), or arithmetic where LLVM has no rule.
// WANT conv2d_f32: -2.0 1.5 4.125 -3.75 -2.75 8.75 -0.5 8.875 0.5 3.0 4.75 -3.1875 5.25 -6.375 6.375 -7.75 -1.25 1.0
func.func @conv2d_f32() -> tensor<1x3x3x2xf32> {
  %x = arith.constant dense<[[[[1.5],[-2.0],[3.25]],[[0.5],[4.0],[-1.0]],[[2.0],[-3.5],[0.75]]]]> : tensor<1x3x3x1xf32>
  %w = arith.constant dense<[[[[1.0],[2.0]],[[-1.0],[0.5]]],[[[0.25],[-2.0]],[[3.0],[1.0]]]]> : tensor<2x2x2x1xf32>
  %b = arith.constant dense<[0.5, -1.0]> : tensor<2xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x3x3x1xf32>, tensor<2x2x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x2xf32>
  return %r : tensor<1x3x3x2xf32>
}
// WANT conv2d_i8: -151.0 -59.0 169.0 -419.0 30.0 857.0 193.0 943.0 -642.0 -637.0 -19.0 -3195.0 -636.0 1731.0 -401.0 -2149.0 -302.0 -291.0
func.func @conv2d_i8() -> tensor<1x3x3x2xi32> {
  %xi = arith.constant dense<[[[[10],[-20],[30]],[[5],[40],[-100]],[[127],[-128],[7]]]]> : tensor<1x3x3x1xi8>
  %wi = arith.constant dense<[[[[1],[2]],[[-1],[5]]],[[[2],[-20]],[[30],[10]]]]> : tensor<2x2x2x1xi8>
  %bi = arith.constant dense<[3, -7]> : tensor<2xi32>
  %z3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zm = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.conv2d %xi, %wi, %bi, %z3, %zm {acc_type = i32, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x3x3x1xi8>, tensor<2x2x2x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x2xi32>
  return %r : tensor<1x3x3x2xi32>
}
// WANT depthwise_i8: -705.0 -409.0 775.0 731.0 111.0 -493.0 1193.0 268.0 -3187.0 -1812.0 -328.0 1955.0 -3650.0 -3544.0 -385.0 1826.0 -290.0 -491.0
func.func @depthwise_i8() -> tensor<1x3x3x2xi32> {
  %xi = arith.constant dense<[[[[10],[-20],[30]],[[5],[40],[-100]],[[127],[-128],[7]]]]> : tensor<1x3x3x1xi8>
  %bi = arith.constant dense<[3, -7]> : tensor<2xi32>
  %dw = arith.constant dense<[[[[1, 2]],[[-1, 5]]],[[[2, -20]],[[30, 10]]]]> : tensor<2x2x1x2xi8>
  %z3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zm = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.depthwise_conv2d %xi, %dw, %bi, %z3, %zm {acc_type = i32, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x3x3x1xi8>, tensor<2x2x1x2xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x2xi32>
  return %r : tensor<1x3x3x2xi32>
}
// WANT avg_f32: -0.25 0.625 3.25 1.0 1.0625 1.125 0.75 0.0625 -0.125
func.func @avg_f32() -> tensor<1x3x3x1xf32> {
  %x = arith.constant dense<[[[[1.5],[-2.0],[3.25]],[[0.5],[4.0],[-1.0]],[[2.0],[-3.5],[0.75]]]]> : tensor<1x3x3x1xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.avg_pool2d %x, %z, %z {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x3x3x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}
// WANT avg_i8: -10.0 0.0 25.0 4.0 -18.0 -40.0 6.0 -50.0 -52.0
func.func @avg_i8() -> tensor<1x3x3x1xi8> {
  %xi = arith.constant dense<[[[[10],[-20],[30]],[[5],[40],[-100]],[[127],[-128],[7]]]]> : tensor<1x3x3x1xi8>
  %z3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zm = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.avg_pool2d %xi, %z3, %zm {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x3x3x1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x1xi8>
  return %r : tensor<1x3x3x1xi8>
}
// WANT max_pool: 1.5 3.25 3.25 4.0 4.0 3.25 4.0 4.0 0.75
func.func @max_pool() -> tensor<1x3x3x1xf32> {
  %x = arith.constant dense<[[[[1.5],[-2.0],[3.25]],[[0.5],[4.0],[-1.0]],[[2.0],[-3.5],[0.75]]]]> : tensor<1x3x3x1xf32>
  %r = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>} : (tensor<1x3x3x1xf32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}
// WANT matmul: 17.0 -80.0 -122.0 -92.0
func.func @matmul() -> tensor<1x2x2xi32> {
  %m = arith.constant dense<[[[1, -2, 3],[4, 5, -6]]]> : tensor<1x2x3xi8>
  %n = arith.constant dense<[[[7, 8],[-9, 10],[11, 12]]]> : tensor<1x3x2xi8>
  %z3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zm = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.matmul %m, %n, %z3, %zm : (tensor<1x2x3xi8>, tensor<1x3x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2xi32>
  return %r : tensor<1x2x2xi32>
}
// WANT clamp: 1.0 nan 4.0 1.0 2.5 nan
func.func @clamp() -> tensor<2x3xf32> {
  %v = arith.constant dense<[[1.0, 0x7FC00000, 5.0],[-0.5, 2.5, 0x7FC00000]]> : tensor<2x3xf32>
  %r = tosa.clamp %v {min_val = 1.0 : f32, max_val = 4.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// WANT clamp_ignore: 1.0 1.0 4.0 1.0 2.5 1.0
func.func @clamp_ignore() -> tensor<2x3xf32> {
  %v = arith.constant dense<[[1.0, 0x7FC00000, 5.0],[-0.5, 2.5, 0x7FC00000]]> : tensor<2x3xf32>
  %r = tosa.clamp %v {min_val = 1.0 : f32, max_val = 4.0 : f32, nan_mode = IGNORE} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// WANT clamp_i32: 1.0 -5.0 50.0 50.0 -5.0 33.0
func.func @clamp_i32() -> tensor<2x3xi32> {
  %vi = arith.constant dense<[[1, -7, 100],[65536, -65537, 33]]> : tensor<2x3xi32>
  %r = tosa.clamp %vi {min_val = -5 : i32, max_val = 50 : i32} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// WANT maximum: 2.0 nan nan -0.5 3.5 nan
func.func @maximum() -> tensor<2x3xf32> {
  %v = arith.constant dense<[[1.0, 0x7FC00000, 5.0],[-0.5, 2.5, 0x7FC00000]]> : tensor<2x3xf32>
  %u = arith.constant dense<[[2.0, 1.0, 0x7FC00000],[-1.5, 3.5, 0x7FC00000]]> : tensor<2x3xf32>
  %r = tosa.maximum %v, %u : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// WANT minimum_ignore: 1.0 1.0 5.0 -1.5 2.5 nan
func.func @minimum_ignore() -> tensor<2x3xf32> {
  %v = arith.constant dense<[[1.0, 0x7FC00000, 5.0],[-0.5, 2.5, 0x7FC00000]]> : tensor<2x3xf32>
  %u = arith.constant dense<[[2.0, 1.0, 0x7FC00000],[-1.5, 3.5, 0x7FC00000]]> : tensor<2x3xf32>
  %r = tosa.minimum %v, %u {nan_mode = IGNORE} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// WANT argmax: 1.0 2.0
func.func @argmax() -> tensor<2xi32> {
  %v = arith.constant dense<[[1.0, 0x7FC00000, 5.0],[-0.5, 2.5, 0x7FC00000]]> : tensor<2x3xf32>
  %r = tosa.argmax %v {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
// WANT argmax_ignore: 2.0 1.0
func.func @argmax_ignore() -> tensor<2xi32> {
  %v = arith.constant dense<[[1.0, 0x7FC00000, 5.0],[-0.5, 2.5, 0x7FC00000]]> : tensor<2x3xf32>
  %r = tosa.argmax %v {axis = 1 : i32, nan_mode = IGNORE} : (tensor<2x3xf32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
// WANT reduce_max: nan nan
func.func @reduce_max() -> tensor<2x1xf32> {
  %v = arith.constant dense<[[1.0, 0x7FC00000, 5.0],[-0.5, 2.5, 0x7FC00000]]> : tensor<2x3xf32>
  %r = tosa.reduce_max %v {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}
// WANT reduce_min_ignore: 1.0 -0.5
func.func @reduce_min_ignore() -> tensor<2x1xf32> {
  %v = arith.constant dense<[[1.0, 0x7FC00000, 5.0],[-0.5, 2.5, 0x7FC00000]]> : tensor<2x3xf32>
  %r = tosa.reduce_min %v {axis = 1 : i32, nan_mode = IGNORE} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}
// WANT reduce_product: -3.0 3.5 nan
func.func @reduce_product() -> tensor<1x3xf32> {
  %u = arith.constant dense<[[2.0, 1.0, 0x7FC00000],[-1.5, 3.5, 0x7FC00000]]> : tensor<2x3xf32>
  %r = tosa.reduce_product %u {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
// WANT mul: 0.0 2.0 313.0 134217728.0 134221824.0 34.0
func.func @mul() -> tensor<2x3xi32> {
  %vi = arith.constant dense<[[1, -7, 100],[65536, -65537, 33]]> : tensor<2x3xi32>
  %sh = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.mul %vi, %vi, %sh : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<1xi8>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// WANT intdiv: 0.0 -1.0 14.0 9362.0 -9362.0 4.0
func.func @intdiv() -> tensor<2x3xi32> {
  %vi = arith.constant dense<[[1, -7, 100],[65536, -65537, 33]]> : tensor<2x3xi32>
  %z7 = arith.constant dense<7> : tensor<1x1xi32>
  %r = tosa.intdiv %vi, %z7 : (tensor<2x3xi32>, tensor<1x1xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// WANT negate_i8: 127.0 -99.0 -4.0
func.func @negate_i8() -> tensor<1x3xi8> {
  %q = arith.constant dense<[[-128, 100, 5]]> : tensor<1x3xi8>
  %z3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zm = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.negate %q, %z3, %zm : (tensor<1x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3xi8>
  return %r : tensor<1x3xi8>
}
// WANT negate_f32: -1.0 nan -5.0 0.5 -2.5 nan
func.func @negate_f32() -> tensor<2x3xf32> {
  %v = arith.constant dense<[[1.0, 0x7FC00000, 5.0],[-0.5, 2.5, 0x7FC00000]]> : tensor<2x3xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %r = tosa.negate %v, %z, %z : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// WANT pad: 0.0 0.0 2.0 1.0 nan 0.0 0.0 -1.5 3.5 nan 0.0 0.0 0.0 0.0 0.0
func.func @pad() -> tensor<3x5xf32> {
  %u = arith.constant dense<[[2.0, 1.0, 0x7FC00000],[-1.5, 3.5, 0x7FC00000]]> : tensor<2x3xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %p4 = tosa.const_shape {values = dense<[0, 1, 2, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %r = tosa.pad %u, %p4, %z : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
// WANT tile: 2.0 1.0 nan -1.5 3.5 nan 2.0 1.0 nan -1.5 3.5 nan
func.func @tile() -> tensor<4x3xf32> {
  %u = arith.constant dense<[[2.0, 1.0, 0x7FC00000],[-1.5, 3.5, 0x7FC00000]]> : tensor<2x3xf32>
  %p2 = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.tile %u, %p2 : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
// WANT slice: 1.0 3.5
func.func @slice() -> tensor<2x1xf32> {
  %u = arith.constant dense<[[2.0, 1.0, 0x7FC00000],[-1.5, 3.5, 0x7FC00000]]> : tensor<2x3xf32>
  %p2 = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %o2 = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.slice %u, %o2, %p2 : (tensor<2x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}
// WANT transpose: 2.0 -1.5 1.0 3.5 nan nan
func.func @transpose() -> tensor<3x2xf32> {
  %u = arith.constant dense<[[2.0, 1.0, 0x7FC00000],[-1.5, 3.5, 0x7FC00000]]> : tensor<2x3xf32>
  %r = tosa.transpose %u {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
// WANT reshape: 2.0 1.0 nan -1.5 3.5 nan
func.func @reshape() -> tensor<3x2xf32> {
  %u = arith.constant dense<[[2.0, 1.0, 0x7FC00000],[-1.5, 3.5, 0x7FC00000]]> : tensor<2x3xf32>
  %r2 = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.reshape %u, %r2 : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
// WANT resize_nearest: 1.5 1.5 -2.0 -2.0 3.25 3.25 1.5 1.5 -2.0 -2.0 3.25 3.25 0.5 0.5 4.0 4.0 -1.0 -1.0 0.5 0.5 4.0 4.0 -1.0 -1.0 2.0 2.0 -3.5 -3.5 0.75 0.75 2.0 2.0 -3.5 -3.5 0.75 0.75
func.func @resize_nearest() -> tensor<1x6x6x1xf32> {
  %x = arith.constant dense<[[[[1.5],[-2.0],[3.25]],[[0.5],[4.0],[-1.0]],[[2.0],[-3.5],[0.75]]]]> : tensor<1x3x3x1xf32>
  %c4 = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %c0 = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c1 = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.resize %x, %c4, %c0, %c1 {mode = NEAREST_NEIGHBOR} : (tensor<1x3x3x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x6x6x1xf32>
  return %r : tensor<1x6x6x1xf32>
}
// WANT resize_bilinear: 1.5 0.625 -1.125 -0.6875 1.9375 3.25 1.25 0.8125 -0.0625 0.171875 1.51562 2.1875 0.75 1.1875 2.0625 1.89062 0.671875 0.0625 0.875 1.1875 1.8125 1.45312 0.109375 -0.5625 1.625 0.8125 -0.8125 -1.14062 -0.171875 0.3125 2.0 0.625 -2.125 -2.4375 -0.3125 0.75
func.func @resize_bilinear() -> tensor<1x6x6x1xf32> {
  %x = arith.constant dense<[[[[1.5],[-2.0],[3.25]],[[0.5],[4.0],[-1.0]],[[2.0],[-3.5],[0.75]]]]> : tensor<1x3x3x1xf32>
  %c4 = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %c0 = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %c1 = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.resize %x, %c4, %c0, %c1 {mode = BILINEAR} : (tensor<1x3x3x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x6x6x1xf32>
  return %r : tensor<1x6x6x1xf32>
}
// WANT rescale: 3.0 -18.0 17.0 -1.0 24.0 -75.0 86.0 -95.0 1.0
func.func @rescale() -> tensor<1x3x3x1xi8> {
  %xi = arith.constant dense<[[[[10],[-20],[30]],[[5],[40],[-100]],[[127],[-128],[7]]]]> : tensor<1x3x3x1xi8>
  %z3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zm = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %mu = "tosa.const"() <{values = dense<1518500250> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %xi, %mu, %s31, %z3, %zm {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x1xi8>
  return %r : tensor<1x3x3x1xi8>
}
// WANT rescale_double: -2.0 -3.0 16.0 127.0 -128.0 4.0
func.func @rescale_double() -> tensor<2x3xi8> {
  %vi = arith.constant dense<[[1, -7, 100],[65536, -65537, 33]]> : tensor<2x3xi32>
  %zm = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %mu = "tosa.const"() <{values = dense<1518500250> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s33 = "tosa.const"() <{values = dense<33> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %vi, %mu, %s33, %z32, %zm {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2x3xi8>
  return %r : tensor<2x3xi8>
}
// WANT rescale_unsigned: 8.0 -88.0 22.0 4.0 29.0 111.0 91.0 91.0 6.0
func.func @rescale_unsigned() -> tensor<1x3x3x1xi8> {
  %xi = arith.constant dense<[[[[10],[-20],[30]],[[5],[40],[-100]],[[127],[-128],[7]]]]> : tensor<1x3x3x1xi8>
  %z3 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %mu = "tosa.const"() <{values = dense<1518500250> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %xi, %mu, %s31, %z3, %z3 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = true, output_unsigned = true} : (tensor<1x3x3x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x1xi8>
  return %r : tensor<1x3x3x1xi8>
}

// WANT reduce_max_ignore: NaN 3.0
func.func @reduce_max_ignore() -> tensor<2x1xf32> {
  %a = "tosa.const"() <{values = dense<[[0x7FC00000, 0x7FC00000], [3.0, 0x7FC00000]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %r = tosa.reduce_max %a {axis = 1 : i32, nan_mode = IGNORE} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}
// WANT reduce_min_ignore: NaN 3.0
func.func @reduce_min_ignore() -> tensor<2x1xf32> {
  %a = "tosa.const"() <{values = dense<[[0x7FC00000, 0x7FC00000], [3.0, 0x7FC00000]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %r = tosa.reduce_min %a {axis = 1 : i32, nan_mode = IGNORE} : (tensor<2x2xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}
// WANT max_pool_ignore: 5.0 5.0 5.0 5.0
func.func @max_pool_ignore() -> tensor<1x2x2x1xf32> {
  %a = "tosa.const"() <{values = dense<[[[[0x7FC00000], [1.0], [2.0]], [[-4.0], [5.0], [0x7FC00000]], [[-2.0], [0x7FC00000], [-4.0]]]]> : tensor<1x3x3x1xf32>}> : () -> tensor<1x3x3x1xf32>
  %r = tosa.max_pool2d %a {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, nan_mode = IGNORE} : (tensor<1x3x3x1xf32>) -> tensor<1x2x2x1xf32>
  return %r : tensor<1x2x2x1xf32>
}
