package simplify_test

import (
	"fmt"
	"os"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/simplify"
)

func ExampleCSE() {
	module, err := mlir.Parse("square.mlir", []byte(`
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  %1 = arith.addf %x, %x : tensor<4xf32>
  %2 = arith.mulf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}`))
	if err == nil {
		err = simplify.CSE(module)
	}
	if err == nil {
		err = mlir.Print(os.Stdout, module, mlir.PrintOptions{})
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// module {
	//   func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
	//     %0 = arith.addf %x, %x : tensor<4xf32>
	//     %1 = arith.mulf %0, %0 : tensor<4xf32>
	//     return %1 : tensor<4xf32>
	//   }
	// }
}
