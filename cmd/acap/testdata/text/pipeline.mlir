// RUN: acap opt %s -pass-pipeline='builtin.module(func.func(canonicalize{max-iterations=3},cse))' | check

// CHECK: func.func @sum
// CHECK-NEXT: [[C:%[a-z0-9_]+]] = arith.constant 3 : i32
// CHECK-NEXT: arith.addi %x, [[C]] : i32
// CHECK-NEXT: return
func.func @sum(%x: i32) -> i32 {
  %c = arith.constant 1 : i32
  %d = arith.constant 2 : i32
  %e = arith.addi %c, %d : i32
  %g = arith.addi %e, %x : i32
  return %g : i32
}
