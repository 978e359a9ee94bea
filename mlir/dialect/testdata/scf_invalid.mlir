func.func @f(%n: index) {
  // expected-error@+1 {{expected a value, found "{"}}
  scf.for %i = %n to %n step {
  }
  return
}
// -----
func.func @f(%n: index, %x: f32) {
  // expected-error@+1 {{'scf.for' scf.yield passes tuple<>, but tuple<f32> is needed}}
  %0 = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (f32) {
    %y = arith.addf %a, %a : f32
  }
  return
}
// -----
func.func @f(%c: i1) {
  // expected-error@+1 {{'scf.if' one with results needs an else}}
  %0 = scf.if %c -> (i32) {
    %x = arith.constant 1 : i32
    scf.yield %x : i32
  }
  return
}
// -----
func.func @f(%c: i32) {
  // expected-error@+1 {{%c is of type i32, not i1}}
  scf.if %c {
  }
  return
}
// -----
func.func @f(%x: i32) {
  // expected-error@+1 {{'scf.while' a region must end with scf.condition}}
  %0 = scf.while (%a = %x) : (i32) -> i32 {
    scf.yield %a : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }
  return
}
// -----
func.func @f(%c: i1) {
  // expected-error@+1 {{a region must take the arguments tuple<>}}
  "scf.if"(%c) ({
  ^bb0(%i: index):
    scf.yield
  }, {}) : (i1) -> ()
  return
}
// -----
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{a step must be positive, not 0}}
  scf.parallel (%i) = (%c0) to (%n) step (%c0) {
  }
  return
}
// -----
func.func @f(%n: index) {
  // expected-error@+1 {{has a mapping of 1 for 2 loops}}
  scf.forall (%i, %j) in (%n, %n) {
  } {mapping = [#gpu.thread<x>]}
  return
}
// -----
func.func @f() {
  "some.region"() ({
    "scf.yield"() : () -> ()
  }) : () -> ()
  scf.execute_region {
    // expected-error@+1 {{stands in scf.while, and not in scf.execute_region}}
    "scf.condition"() : () -> ()
  }
  return
}
// -----
func.func @f(%t: tensor<8xf32>) {
  %0 = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    // expected-error@+1 {{parts go into an argument of the loop}}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %t[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
    }
  }
  return
}

// -----

func.func @f(%c: f32) {
  // expected-error@+1 {{'scf.for' counts by index or integers, not by f32}}
  scf.for %i = %c to %c step %c : f32 {
  }
  return
}

// -----

func.func @f(%c: ui32) {
  // expected-error@+1 {{'scf.for' counts by index or integers without a sign, not by ui32}}
  scf.for %i = %c to %c step %c : ui32 {
  }
  return
}

// -----

func.func @f(%d: f64) {
  // expected-error@+1 {{'scf.execute_region' scf.yield passes tuple<f64>, but tuple<f32> is needed}}
  %0 = scf.execute_region -> f32 {
    scf.yield %d : f64
  }
  return
}
// -----
func.func @f(%n: index) {
  // expected-error@+3 {{'scf.forall' the body ends with scf.forall.in_parallel}}
  // expected-error@+2 {{'scf.forall' has 3 blocks in a region, not one}}
  // expected-error@+1 {{'scf.forall' has an empty block: expected a terminator}}
  scf.forall (%i) in (%n) {
  ^bb0:
    "test.op"() : () -> ()
  ^bb1:
  }
  return
}
