package vector_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// An exclusive or is of integers.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f(%a: vector<4xf32>, %b: vector<8xf32>) -> f32 {
  %0 = vector.reduction <xor>, %a : vector<4xf32> into f32
  return %0 : f32
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mlir.Verify(module))
	// Output: f.mlir:3:8: error: 'vector.reduction' xor does not work on f32
}
