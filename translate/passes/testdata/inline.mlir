// RUN: inline, symbol-dce, dce
func.func @main(%x: i32) -> i32 {
  %0 = call @twice(%x) : (i32) -> i32
  %1:2 = call @swap(%0, %x) : (i32, i32) -> (i32, i32)
  %2 = call @loop(%1#1) : (i32) -> i32
  return %2 : i32
}
func.func private @twice(%x: i32) -> i32 {
  %0 = call @sum(%x, %x) : (i32, i32) -> i32
  return %0 : i32
}
func.func private @swap(%a: i32, %b: i32) -> (i32, i32) {
  return %b, %a : i32, i32
}
func.func private @sum(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  return %0 : i32
}
func.func private @loop(%a: i32) -> i32 {
  %0 = call @loop(%a) : (i32) -> i32
  return %0 : i32
}
func.func private @unused() {
  return
}
func.func private @declared()
// CHECK: func.func @main
// CHECK-NEXT: %0 = arith.addi %x, %x
// CHECK-NEXT: call @loop(%0)
// CHECK-NEXT: return
// CHECK: func.func private @loop
// CHECK-NEXT: call @loop
// CHECK-NOT: func.func
