package tosa_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/importer/tosa"
)

func ExampleLower() {
	module, err := mlir.Parse("reshape.mlir", []byte(`func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tosa.reshape %x {new_shape = array<i64: 3, 2>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(tosa.Has(module), tosa.Lower(module), tosa.Has(module))
	// Output: true <nil> false
}
