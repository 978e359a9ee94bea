// RUN: acap opt %s -split-input-file -verify-diagnostics

func.func @f() {
  // expected-error@+1 {{has no custom form here}}
  %0 = arith.bogus : i32
}

// -----

func.func @f() {
  %0 = arith.constant 1 : i32
  // expected-error@+1 {{returns tuple<i32> from @f}}
  return %0 : i32
}

// -----

func.func @right() { return }
