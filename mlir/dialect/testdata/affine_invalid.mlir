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
// -----
func.func @f(%m: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    %x = "some.index"() : () -> index
    // expected-error@+1 {{operand cannot be used as a dimension id}}
    %0 = affine.load %m[%x] : memref<10xf32>
  }
  return
}
// -----
func.func @f(%m: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    // expected-error@+1 {{operand cannot be used as a symbol}}
    affine.for %j = 0 to affine_map<()[s0] -> (s0)>()[%i] {
    }
  }
  return
}
// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{works on values of type index, not i32}}
  %0 = "affine.apply"(%x) {map = affine_map<(d0) -> (d0)>} : (i32) -> index
  return
}
// -----
func.func @f(%m: memref<10xf32>) {
  // expected-error@+1 {{memref<10xf32> holds no elements of vector<4xi32>}}
  %0 = affine.vector_load %m[0] : memref<10xf32>, vector<4xi32>
  return
}
// -----
func.func @f() {
  // expected-error@+1 {{addf does not give i32}}
  %0 = affine.parallel (%i) = (0) to (10) reduce ("addf") -> (i32) {
    %x = "some.number"() : () -> i32
    affine.yield %x : i32
  }
  return
}
// -----
func.func @f(%n: index) {
  // expected-error@+1 {{a bound of several values needs min in front}}
  affine.for %i = 0 to affine_map<(d0) -> (d0, 4)>(%n) {
  }
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{'affine.min' needs a map with a result at least}}
  %0 = affine.min affine_map<(d0) -> ()>(%x)
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{no basis element may be statically non-positive}}
  %0:2 = affine.delinearize_index %x into (4, 0) : index, index
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{gives an index for each number of the basis, or one more, not 1 for 2}}
  %0 = affine.delinearize_index %x into (4, 2) : index
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{has 0 operands for 1 dynamic numbers of the basis}}
  %0 = "affine.delinearize_index"(%x) {static_basis = array<i64: -9223372036854775808>} : (index) -> index
  return
}
