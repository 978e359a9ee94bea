// Parts are files of their own, and an error that is expected does not count.
// RUN: acap opt %s -split-input-file -verify-diagnostics | silent
// RUN: not acap opt %s -split-input-file 2>&1 | check

// CHECK: flags_diagnostics.mlir:{{[0-9]+}}:{{[0-9]+}}: error:
// CHECK: of type i32, not f32
func.func @first(%x: i32) -> f32 {
  // expected-error@+1 {{of type i32, not f32}}
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}

// -----

func.func @first(%x: i32) -> i32 {
  return %x : i32
}
