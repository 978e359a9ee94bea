package tosa_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// What is joined along a dimension has the other extents in common.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) -> tensor<6x3xf32> {
  %0 = tosa.concat %x, %y {axis = 0 : i32} : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<6x3xf32>
  return %0 : tensor<6x3xf32>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mlir.Verify(module))
	// Output: f.mlir:3:8: error: 'tosa.concat' the extents 3 and 5 of dimension 1 do not fit each other
}
