// A named pipeline of one pass.
// RUN: acap opt %s -passes constant-fold -pretty | check

// CHECK: func.func @main(%x: i32) -> i32
// CHECK-NEXT: %c6_i32 = arith.constant 6 : i32
// CHECK-NEXT: %0 = arith.addi %x, %c6_i32 : i32
// CHECK-NEXT: return %0 : i32
func.func @main(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %0 = arith.muli %c2, %c3 : i32
  %1 = arith.addi %x, %c0 : i32
  %2 = arith.addi %1, %0 : i32
  return %2 : i32
}
