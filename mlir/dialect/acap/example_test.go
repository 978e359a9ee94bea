package acap_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A sort goes along a dimension that its tensor has.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f(%x: tensor<3x4xf32>) -> tensor<3x2xi64> {
  %0, %1 = acap.sort %x axis 2 descending : tensor<3x4xf32> to tensor<3x2xf32>
  return %1 : tensor<3x2xi64>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mlir.Verify(module))
	// Output: f.mlir:3:12: error: 'acap.sort' axis 2 of a tensor of rank 2
}
