// An error that is announced has to come.
// RUN: not acap opt %s -verify-diagnostics 2>&1 | check

// CHECK: line 6: expected error "is not so" was not produced
func.func @right() {
  return // expected-error {{is not so}}
}
