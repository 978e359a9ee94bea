package expand_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/importer/stablehlo/expand"
)

// A complex number becomes its two parts, so that what follows knows floats alone.
func ExampleModule() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.complex %x, %y : tensor<2xcomplex<f32>>
  %1 = stablehlo.multiply %0, %0 : tensor<2xcomplex<f32>>
  %2 = stablehlo.real %1 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := expand.Module(module); err != nil {
		fmt.Println(err)
		return
	}
	for _, op := range module.Func("f").Body().Ops {
		fmt.Println(op.Name)
	}
	// Output:
	// stablehlo.multiply
	// stablehlo.multiply
	// stablehlo.subtract
	// stablehlo.multiply
	// stablehlo.multiply
	// stablehlo.add
	// func.return
}
