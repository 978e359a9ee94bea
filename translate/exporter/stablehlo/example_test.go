package stablehlo_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/exporter/stablehlo"
)

func ExampleExport() {
	module, err := mlir.Parse("sum.mlir", []byte(`func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "aten.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`))
	if err != nil {
		panic(err)
	}
	if err := stablehlo.Export(module); err != nil {
		panic(err)
	}
	fmt.Print(module)
	// Output:
	// module {
	//   func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
	//     %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
	//     %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<4xf32>
	//     %2 = "stablehlo.maximum"(%x, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
	//     return %2 : tensor<4xf32>
	//   }
	// }
}
