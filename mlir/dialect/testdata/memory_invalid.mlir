func.func @f(%m: memref<4xf32>, %v: i32, %i: index) {
  // expected-error@+1 {{%v is of type i32, not f32}}
  memref.store %v, %m[%i] : memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %v: i32, %i: index) {
  // expected-error@+1 {{value must be of type f32, not i32}}
  "memref.store"(%v, %m, %i) : (i32, memref<4xf32>, index) -> ()
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{needs the numbers of values of its 2 groups}}
  %0 = "memref.alloc"() : () -> memref<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %v: f32) {
  // expected-error@+1 {{kind is "frobnicate", and not one of addf}}
  %0 = memref.atomic_rmw frobnicate %v, %m[] : (f32, memref<4xf32>) -> f32
  return
}
// -----
// expected-error@+1 {{type should be static shaped memref}}
memref.global @g : tensor<4xf32>
// -----
func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{expected 'in', found ","}}
  %0 = bufferization.materialize_in_destination %t, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%c: complex<f32>) {
  // expected-error@+1 {{result must be of type f32, not f64}}
  %0 = "complex.abs"(%c) : (complex<f32>) -> f64
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{requires attribute 'pred'}}
  %0 = "index.cmp"(%i, %i) : (index, index) -> i1
  return
}
// -----
func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{operandSegmentSizes does not fit the operands}}
  "vector.transfer_read"(%v) {operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (vector<4xf32>) -> vector<4xf32>
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{operand count and affine map dimension and symbol count must match}}
  %0 = "affine.apply"(%i, %i) {map = affine_map<(d0) -> (d0)>} : (index, index) -> index
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{needs two bounds and a positive step}}
  affine.for %i = 0 to 10 step 0 {
  }
  return
}
// -----
func.func @f(%i: index, %x: f32) {
  // expected-error@+1 {{same as number of reductions: 0}}
  %0 = scf.parallel (%a) = (%i) to (%i) step (%i) init (%x) -> f32 {
    scf.reduce
  }
  return
}
// -----
func.func @f(%i: index) {
  // expected-error@+1 {{has duplicate case value: 1}}
  scf.index_switch %i
  case 1 {
  }
  case 1 {
  }
  default {
  }
  return
}
// -----
func.func @f(%k: i32) {
  // expected-error@+1 {{number of case values (1) should match number of case destinations (2)}}
  "cf.switch"(%k)[^bb1, ^bb1, ^bb1] {case_values = dense<1> : tensor<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (i32) -> ()
^bb1:
  return
}
// -----
// expected-error@+1 {{integer out of range for i128}}
"a.b"() {v = 680564733841876926926749214863536422912 : i128} : () -> ()
