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
