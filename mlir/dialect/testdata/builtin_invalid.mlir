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
