func.func @f(%x: f32, %y: f64) {
  // expected-error@+1 {{%y is of type f64, not f32}}
  %0 = complex.create %x, %y : complex<f32>
  return
}
// -----
func.func @f(%z: complex<f32>) {
  // expected-error@+1 {{%z is of type complex<f32>, not f32}}
  %0 = complex.re %z : f32
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{needs an array of two numbers}}
  %0 = complex.constant [1.0 : f32] : complex<f32>
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{the parts of a complex<f64> are of type f64, not 1.000000e+00 : f32}}
  %0 = complex.constant [1.0 : f32, 2.0 : f32] : complex<f64>
  return
}
// -----
func.func @f(%x: complex<f32>) {
  // expected-error@+1 {{cannot cast the bits of complex<f32> to i32}}
  %0 = complex.bitcast %x : complex<f32> to i32
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error@+1 {{complex must be complex, not f32}}
  %0 = "complex.neg"(%x) : (f32) -> f32
  return
}
