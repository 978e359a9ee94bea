func.func @f(%x: i32) -> i64 {
  // expected-error@+1 {{'func.return' returns tuple<i32> from @f, which has results tuple<i64>}}
  return %x : i32
}
// -----
func.func @f() {
  // expected-error@+1 {{'func.call' calls @nothing, which is no function here}}
  %0 = call @nothing() : () -> i32
  return
}
// -----
func.func @g(%x: i32) {
  return
}
func.func @f(%x: i64) {
  // expected-error@+1 {{'func.call' passes tuple<i64> to @g, which takes tuple<i32>}}
  call @g(%x) : (i64) -> ()
  return
}
// -----
func.func @f() {
  return
}
// expected-error@+1 {{'func.func' redefines @f}}
func.func @f() {
  return
}
// -----
// expected-error@+1 {{expected a symbol name, found "f"}}
func.func f() {
  return
}
// -----
// expected-error@+1 {{value %x is defined twice}}
func.func @f(%x: i32, %x: i32) {
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{refers to @g, which no func.func here defines}}
  %0 = func.constant @g : () -> ()
  return
}
// -----
// expected-error@+1 {{arguments and results may only have attributes of dialects, not 'name'}}
func.func private @f(i1 {name = 10})
// -----
// expected-error@+1 {{needs 0 dictionaries in arg_attrs, not [{}]}}
func.func private @f() attributes {arg_attrs = [{}]}
// -----
func.func @f() {
  // expected-error@+1 {{is no operation of the dialect func}}
  "func.nosuch"() : () -> ()
  return
}
// -----
// expected-error@+2 {{the body of a function has operations; a declaration has no braces}}
func.func private @f() {}
// -----
func.func @f() attributes
// expected-error@+1 {{expected '{'}}
return
// -----
func.func private @g(i32) -> f32
func.func @f() {
  // expected-error@+1 {{gives () -> (), and the function is (i32) -> f32}}
  %0 = func.constant @g : () -> ()
  return
}
