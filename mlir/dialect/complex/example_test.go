package complex_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// The parts of a complex number have its element type.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f(%re: f64, %im: f64) -> complex<f32> {
  %0 = complex.create %re, %im : complex<f32>
  return %0 : complex<f32>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mlir.Verify(module))
	// Output: f.mlir:3:23: error: %re is of type f64, not f32
}
