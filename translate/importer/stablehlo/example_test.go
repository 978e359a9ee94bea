package stablehlo_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/importer/stablehlo"
)

func ExampleLower() {
	module, err := mlir.Parse("sum.mlir", []byte(`func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(stablehlo.Has(module), stablehlo.Lower(module), stablehlo.Has(module))
	// Output: true <nil> false
}
