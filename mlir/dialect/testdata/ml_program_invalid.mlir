ml_program.global private mutable @g(4 : i64) : tensor<4xi32>
func.func @f(%x: f32) {
  // expected-error@+1 {{expected '=', found ":"}}
  ml_program.global_store @g : tensor<4xi32>
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{refers to @g, which no ml_program.global here defines}}
  %0 = ml_program.global_load @g : i32
  return
}
// -----
// expected-error@+1 {{needs a value, as it never changes}}
ml_program.global private @g : i32
// -----
ml_program.global private @g(dense<4> : tensor<4xi32>) : tensor<4xi32>
ml_program.func @f(%x: tensor<4xi32>) {
  // expected-error@+1 {{the global does not change}}
  ml_program.global_store @g = %x : tensor<4xi32>
  ml_program.return
}
// -----
ml_program.global private mutable @g : i64
ml_program.func @f() -> i32 {
  // expected-error@+1 {{the global is of type i64, not i32}}
  %0 = ml_program.global_load @g : i32
  ml_program.return %0 : i32
}
// -----
ml_program.func @f(%x: i32) -> i64 {
  // expected-error@+1 {{passes tuple<i32>, but tuple<i64> is needed}}
  ml_program.return %x : i32
}
