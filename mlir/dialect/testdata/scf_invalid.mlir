func.func @f(%n: index) {
  // expected-error@+1 {{expected a value, found "{"}}
  scf.for %i = %n to %n step {
  }
  return
}
// -----
func.func @f(%n: index, %x: f32) {
  // expected-error@+1 {{'scf.for' scf.yield passes tuple<>, but tuple<f32> is needed}}
  %0 = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (f32) {
    %y = arith.addf %a, %a : f32
  }
  return
}
// -----
func.func @f(%c: i1) {
  // expected-error@+1 {{'scf.if' one with results needs an else}}
  %0 = scf.if %c -> (i32) {
    %x = arith.constant 1 : i32
    scf.yield %x : i32
  }
  return
}
// -----
func.func @f(%c: i32) {
  // expected-error@+1 {{%c is of type i32, not i1}}
  scf.if %c {
  }
  return
}
// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{'scf.while' a region must end with scf.condition}}
  %0 = scf.while (%a = %x) : (i32) -> i32 {
    scf.yield %a : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }
  return
}
