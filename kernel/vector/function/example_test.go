package function_test

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector/function"
)

// The hyperbolic sine of f32 is computed in f64 and rounded once; an exponential is not.
func ExampleInDouble() {
	fmt.Println(function.Is(kernel.Exp), function.Is(kernel.Add))
	fmt.Println(function.InDouble(kernel.Exp, dtype.F32), function.InDouble(kernel.Erfc, dtype.F32))
	// Output:
	// true false
	// false true
}
