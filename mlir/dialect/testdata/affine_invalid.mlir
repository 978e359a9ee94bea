func.func @f(%i: index) {
  // expected-error@+1 {{'affine.apply' operand count and affine map dimension and symbol count must match}}
  %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i)
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{'affine.for' needs two bounds and a positive step}}
  affine.for %i = 0 to 4 step -1 {
  }
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{expected '=', found ")"}}
  affine.if affine_set<(d0) : (d0 - 1)>(%i) {
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index) {
  // expected-error@+1 {{has 2 indices for 1 dimensions}}
  %0 = affine.load %m[%i, %i] : memref<4xf32>
  return
}
