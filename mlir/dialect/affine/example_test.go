package affine_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A place is a sum of multiples of loops, which a product of loops is not.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f(%m: memref<8xf32>, %n: index) {
  affine.for %i = 0 to 8 {
    %j = arith.muli %i, %i : index
    %x = affine.load %m[%j] : memref<8xf32>
    affine.store %x, %m[%i] : memref<8xf32>
  }
  return
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mlir.Verify(module))
	// Output: f.mlir:5:10: error: 'affine.load' operand cannot be used as a dimension id
}
