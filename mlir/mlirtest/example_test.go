package mlirtest_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir/mlirtest"
)

// A script names lines of a text in their order; a variable has a value of the text, which may have another name each
// time.
func ExampleCompare() {
	text := "%7 = arith.addi %a, %b : i32\nreturn %7 : i32\n"
	fmt.Println(mlirtest.Compare(text, `
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK-NEXT: return %[[SUM]]`))
	fmt.Println(mlirtest.Compare(text, "// CHECK-NOT: arith.addi\n// CHECK: return"))
	// Output:
	// <nil>
	// "arith.addi" should not occur behind line 0
}
