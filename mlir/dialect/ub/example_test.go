package ub_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// Poison is a value of any type that means nothing.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f() -> tensor<4xf32> {
  %0 = ub.poison : tensor<4xf32>
  return %0 : tensor<4xf32>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := mlir.Verify(module); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(module)
	// Output:
	// module {
	//   func.func @f() -> tensor<4xf32> {
	//     %0 = ub.poison : tensor<4xf32>
	//     return %0 : tensor<4xf32>
	//   }
	// }
}
