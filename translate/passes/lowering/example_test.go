package lowering_test

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/passes/lowering"
)

// An operation without a form for kernels is expanded, unless a device takes it whole.
func ExampleDecomposeBut() {
	for _, whole := range []bool{false, true} {
		module, err := mlir.Parse("gelu.mlir", []byte(`func.func @main(%g: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "aten.gelu_backward"(%g, %x) {approximate = "none"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`))
		if err != nil {
			panic(err)
		}
		if err := lowering.DecomposeBut(module, func(op *mlir.Operation) bool { return whole && op.Name == "aten.gelu_backward" }); err != nil {
			panic(err)
		}
		fmt.Println(strings.Contains(module.String(), "aten.gelu_backward"), len(module.Func("main").Body().Ops) > 2)
	}
	// Output:
	// false true
	// true false
}
