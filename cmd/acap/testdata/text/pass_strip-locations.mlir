// No location is left.
// RUN: acap opt %s -strip-locations -locations | check

// CHECK: arith.constant 1 : i32 loc(unknown)
// CHECK-NOT: model.py
func.func @main() {
  %0 = arith.constant 1 : i32 loc("model.py":3:4)
  return
}
