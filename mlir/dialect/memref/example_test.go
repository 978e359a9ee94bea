package memref_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A load has an index for each dimension of the memory.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f(%m: memref<4x8xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] : memref<4x8xf32>
  return %0 : f32
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mlir.Verify(module))
	// Output: f.mlir:3:8: error: 'memref.load' memref, indices: 1 indices for 2 dimensions
}
