func.func @f(%c: i1) {
  // expected-error@+1 {{branch to undefined block ^b}}
  cf.cond_br %c, ^a, ^b
^a:
  return
}
// -----
func.func @f(%c: i32) {
  // expected-error@+1 {{'cf.br' passes tuple<i32> to a block that takes tuple<i64>}}
  cf.br ^a(%c : i32)
^a(%x: i64):
  return
}
// -----
func.func @f(%c: i32) {
  // expected-error@+1 {{%c is of type i32, not i1}}
  cf.cond_br %c, ^a, ^a
^a:
  return
}
// -----
func.func @f(%c: i32) {
  cf.switch %c : i32, [
    default: ^a
    // expected-error@+1 {{expected ']', found "1"}}
    1: ^a
  ]
^a:
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{branch to undefined block ^a}}
  cf.br ^a
}
// -----
func.func @f(%c: i1) {
  // expected-error@+1 {{needs a weight for each of its 2 blocks that is not negative, and one above 0, not array<i32: 0, 0>}}
  cf.cond_br %c weights([0, 0]), ^bb1, ^bb1
^bb1:
  return
}
