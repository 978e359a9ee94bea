ml_program.global private mutable @g(4 : i64) : tensor<4xi32>
func.func @f(%x: f32) {
  // expected-error@+1 {{expected '=', found ":"}}
  ml_program.global_store @g : tensor<4xi32>
  return
}
