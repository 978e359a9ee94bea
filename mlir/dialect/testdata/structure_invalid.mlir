// expected-error@+1 {{a function without a body must be private}}
func.func @f()
// -----
func.func @f(%a: i32) -> f32 {
  // expected-error@+1 {{returns tuple<i32> from @f, which has results tuple<f32>}}
  return %a : i32
}
// -----
func.func @f() { return }
// expected-error@+1 {{redefines @f}}
func.func @f() { return }
// -----
func.func @f() {
  // expected-error@+1 {{calls @g, which is no function here}}
  call @g() : () -> ()
  return
}
// -----
func.func private @g(i32) -> f32
func.func @f(%a: f32) {
  // expected-error@+1 {{passes tuple<f32> to @g, which takes tuple<i32>}}
  %0 = call @g(%a) : (f32) -> f32
  return
}
// -----
// expected-error@+1 {{has an empty block: expected a terminator}}
func.func @f() {
^bb0:
}
// -----
func.func @f(%a: i32) {
  // expected-error@+1 {{ends a block, but is no terminator}}
  %0 = arith.addi %a, %a : i32
}
// -----
func.func @f(%a: i32) {
  // expected-error@+1 {{must be the last operation of its block}}
  "func.return"() : () -> ()
  %0 = arith.addi %a, %a : i32
  return
}
// -----
func.func @f(%a: i32) {
  // expected-error@+1 {{operand 0 does not dominate this use}}
  %0 = arith.addi %1, %a : i32
  %1 = arith.addi %a, %a : i32
  return
}
// -----
func.func @f(%a: i32) {
  // expected-error@+1 {{use of undefined value %b}}
  %0 = arith.addi %a, %b : i32
  return
}
// -----
func.func @f(%a: i32) {
  %0 = arith.addi %a, %a : i32
  // expected-error@+1 {{value %0 is defined twice}}
  %0 = arith.addi %a, %a : i32
  return
}
// -----
func.func @f(%a: i32) {
  // expected-error@+1 {{has 1 results, which the names on the left do not fit}}
  %0:2 = arith.addi %a, %a : i32
  return
}
// -----
func.func @f(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = arith.addi %a, %a : i32
  cf.br ^bb3
^bb2:
  cf.br ^bb3
^bb3:
  // expected-error@+1 {{operand 0 does not dominate this use}}
  return %0 : i32
}
// -----
func.func @f(%c: i1, %a: i32) -> i32 {
  // expected-error@+1 {{passes tuple<i32> to a block that takes tuple<f32>}}
  cf.br ^bb1(%a : i32)
^bb1(%x: f32):
  return %a : i32
}
// -----
func.func @f() {
  // expected-error@+1 {{branch to undefined block ^nowhere}}
  cf.br ^nowhere
}
// -----
func.func @f(%a: i32) {
  module {
    func.func @g() -> i32 {
      // expected-error@+1 {{use of undefined value %a}}
      return %a : i32
    }
  }
  return
}
// -----
func.func @f(%lb: index, %a: i32) {
  // expected-error@+1 {{scf.yield passes tuple<>, but tuple<i32> is needed}}
  %0 = scf.for %i = %lb to %lb step %lb iter_args(%x = %a) -> (i32) {
  }
  return
}
// -----
func.func @f(%c: i1) {
  // expected-error@+1 {{one with results needs an else}}
  %0 = scf.if %c -> (i32) {
    %k = arith.constant 1 : i32
    scf.yield %k : i32
  }
  return
}
// -----
// expected-error@+1 {{the operation "foo.bar" has no custom form here}}
foo.bar
// -----
// expected-error@+1 {{undefined type alias !nope}}
"a.b"() {t = !nope} : () -> ()
// -----
// expected-error@+1 {{undefined attribute alias #nope}}
"a.b"() {t = #nope} : () -> ()
// -----
// expected-error@+1 {{2 operands, but 1 types}}
"a.b"(%x, %y) : (i32) -> ()
// -----
// expected-error@+1 {{attribute "a" occurs twice}}
"a.b"() {a, a} : () -> ()
// -----
// expected-error@+2 {{expected an attribute at the end of the text}}
"a.b"() {a =
