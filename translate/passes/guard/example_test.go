package guard_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/passes/guard"
)

// A module says for which masks it is right. Who knows that the inputs have this one takes the guards out.
func Example() {
	module, err := mlir.Parse("picked.mlir", []byte(`func.func @main(%x: tensor<3xf32>, %m: tensor<3xi1>) -> tensor<2xf32> {
  %0 = tensor.extract_slice %x[0] [2] [1] : tensor<3xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @guards(%x: tensor<3xf32>, %m: tensor<3xi1>) -> (tensor<3xi1>, tensor<3xi1>) attributes {acap.guards = ["the mask at model.py:7"]} {
  %0 = arith.constant dense<[true, true, false]> : tensor<3xi1>
  return %m, %0 : tensor<3xi1>, tensor<3xi1>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	names, err := guard.Names(guard.Find(module))
	fmt.Println(names, err)
	guard.Take(module)
	fmt.Println(guard.Find(module) == nil, len(module.Funcs()))
	// Output:
	// [the mask at model.py:7] <nil>
	// true 1
}
