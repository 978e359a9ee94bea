// A private function that nothing calls goes.
// RUN: acap opt %s -symbol-dce -pretty | check

// CHECK: func.func private @used()
// CHECK-NEXT: return
// CHECK: func.func @main()
// CHECK-NEXT: call @used() : () -> ()
// CHECK-NEXT: return
func.func private @unused() { return }
func.func private @used() { return }
func.func @main() {
  call @used() : () -> ()
  return
}
