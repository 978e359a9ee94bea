package bufferization_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A buffer has the extents of its tensor.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f(%t: tensor<4xf32>) -> memref<8xf32> {
  %0 = bufferization.to_memref %t : memref<8xf32>
  return %0 : memref<8xf32>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mlir.Verify(module))
	// Output: f.mlir:3:32: error: %t is of type tensor<4xf32>, not tensor<8xf32>
}
