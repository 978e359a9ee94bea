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
