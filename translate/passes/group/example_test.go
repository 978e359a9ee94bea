package group_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/passes/group"
)

// A device takes all operations but relu: a group stands on either side of what the host runs.
func ExampleGroup() {
	module, err := mlir.Parse("mlp.mlir", []byte(`func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "aten.relu"(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = "aten.mm"(%1, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}`))
	if err != nil {
		panic(err)
	}
	groups := group.Group(module, group.Grouping{Supports: func(op *mlir.Operation) error {
		if op.Name == "aten.relu" {
			return fmt.Errorf("the array has no relu")
		}
		return nil
	}})
	for _, f := range groups {
		fmt.Println(f.Symbol(), f.Body().Ops[0].Name)
	}
	for _, op := range module.Func("main").Body().Ops {
		fmt.Print(op.Name, " ")
	}
	// Output:
	// main_group_0 aten.mm
	// main_group_1 aten.mm
	// func.call aten.relu func.call func.return
}
