func.func @f() {
  %0 = ub.poison : 
  // expected-error@+1 {{expected a type, found "return"}}
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{ub.poison has 0 results, which the names on the left do not fit}}
  %0 = "ub.poison"() : () -> ()
  return
}
