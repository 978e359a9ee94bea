package mlirtest_test

import (
	"testing"

	"github.com/go-acap/acap/mlir/mlirtest"
)

func TestCompare(t *testing.T) {
	const text = "a [[1, 2]] x\nb %12 = add %3\n\nc %12 end\n"
	for script, want := range map[string]bool{
		"// CHECK: a":                                                         true,
		"// CHECK: [[1, 2]]":                                                  true,
		"// CHECK: q":                                                         false,
		"// CHECK: b\n// CHECK: x":                                            false,
		"// CHECK: a\n// CHECK-SAME: x":                                       true,
		"// CHECK: a\n// CHECK-SAME: b":                                       false,
		"// CHECK: a\n// CHECK-NEXT: b":                                       true,
		"// CHECK: b\n// CHECK-NEXT: c":                                       false,
		"// CHECK: a\n// CHECK-NOT: b\n// CHECK: c":                           false,
		"// CHECK: a\n// CHECK-NOT: q\n// CHECK: c":                           true,
		"// CHECK: b\n// CHECK-NOT: x":                                        true,
		"// CHECK: b {{%[0-9]+}} = add {{.*}}3":                               true,
		"// CHECK: b [[X:%[0-9]+]] = add\n// CHECK: c [[X]] end":              true,
		"// CHECK: b %12 = add [[X:%[0-9]+]]\n// CHECK: c [[X]] end":          false,
		"// CHECK: c [[X]] end":                                               false,
		"// CHECK-LABEL: b [[X:%[0-9]+]]\n// CHECK-LABEL: c\n// CHECK: [[X]]": false,
		"nothing": false,
	} {
		if err := mlirtest.Compare(text, script); (err == nil) != want {
			t.Errorf("%q: %v", script, err)
		}
	}
}
