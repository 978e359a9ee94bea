// What runs on the host becomes loops, in double precision; complex tensors become pairs of numbers.
// RUN: acap opt %s -expand-host | check

// CHECK-LABEL: func.func @polynomial
// CHECK: scf.for
// CHECK: arith.fptosi %{{.*}} : f64 to i64
// CHECK: scf.for
// CHECK: arith.mulf
// CHECK-NOT: aten.
func.func @polynomial(%x: tensor<3xf32>, %n: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "aten.special_hermite_polynomial_h"(%x, %n) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @spectrum(%x: tensor<4xf32>) -> tensor<3x2xf32>
// CHECK: math.cos
// CHECK: math.sin
// CHECK-NOT: aten.
func.func @spectrum(%x: tensor<4xf32>) -> tensor<3xcomplex<f32>> {
  %0 = "aten._fft_r2c"(%x) {dim = array<i64: 0>, normalization = 0 : i64, onesided = true} : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
