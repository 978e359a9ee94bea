func.func @f(%x: i32) {
  // expected-error@+1 {{'math.exp' works on floats, not on i32}}
  %0 = math.exp %x : i32
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error@+1 {{'math.ctpop' works on signless integers, not on f32}}
  %0 = math.ctpop %x : f32
  return
}
// -----
func.func @f(%x: f32, %y: f64) {
  // expected-error@+1 {{%y is of type f64, not f32}}
  %0 = math.powf %x, %y : f32
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error@+1 {{the operation "math.nosuch" has no custom form here}}
  %0 = math.nosuch %x : f32
  return
}
// -----
func.func @f(%x: f32) {
  // expected-error@+1 {{gives i1, not f32}}
  %0 = "math.isnan"(%x) : (f32) -> f32
  return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{gives tensor<2xi1>, not tensor<3xi1>}}
  %0 = "math.isnormal"(%x) : (tensor<2xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @f(%c: f32) {
  // expected-error@+1 {{'math.fpowi' takes an integer as the exponent, not f32}}
  %0 = math.fpowi %c, %c : f32, f32
  return
}
