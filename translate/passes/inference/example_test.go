package inference_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/passes/inference"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// Dropout that is off is its input.
func ExampleFoldDropout() {
	module, err := mlir.Parse("dropout.mlir", []byte(`func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "aten.dropout"(%x) {p = 0.5 : f64, train = false} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "aten.relu"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}`))
	if err != nil {
		panic(err)
	}
	if err := inference.FoldDropout(module); err != nil {
		panic(err)
	}
	if err := simplify.DCE(module); err != nil {
		panic(err)
	}
	fmt.Print(module)
	// Output:
	// module {
	//   func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
	//     %0 = "aten.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
	//     return %0 : tensor<4xf32>
	//   }
	// }
}
