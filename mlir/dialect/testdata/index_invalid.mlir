func.func @f(%x: i32) {
  // expected-error@+1 {{%x is of type i32, not index}}
  %0 = index.add %x, %x
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{has the unknown predicate}}
  %0 = index.cmp less(%i, %i)
  return
}
// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{cannot convert i32 to i64}}
  %0 = index.casts %x : i32 to i64
  return
}
