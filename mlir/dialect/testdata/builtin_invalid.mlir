// expected-error@+1 {{use of undefined value %x}}
%0 = "builtin.unrealized_conversion_cast"(%x) : (i32) -> i64
// -----
// expected-error@+1 {{expected '>', found ")"}}
func.func @f(%x: tensor<2xf32) {
  return
}
// -----
// expected-error@+1 {{vector types have static positive extents}}
func.func @f(%x: vector<0x!) {
  return
}
// -----
// expected-error@+1 {{2 elements in dimension 0, expected 3}}
func.func @f() attributes {a = dense<[1, 2]> : tensor<3xi32>} {
  return
}
// -----
// expected-error@+1 {{has the attribute 'name', which is of no dialect}}
module attributes {name = 1} {
}
// -----
%0 = "some.value"() : () -> i32
// expected-error@+1 {{needs a result}}
"builtin.unrealized_conversion_cast"(%0) : (i32) -> ()
