package report_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/report"
)

func Example() {
	module, err := mlir.Parse("relu.mlir", []byte(`func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "aten.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "aten.add.Tensor"(%0, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Operators(module)["L0-relu-0"])
	fmt.Println(report.Liveness(module)["L1-add-0"])
	fmt.Println(report.Work(module.Funcs()[0].Body().Ops[1]))
	// Output:
	// map[activation_in:4 activation_out:4 ops:>:4 reads:4 writes:4]
	// map[L0-relu-0:4 L1-add-0:4 parameters:4 returns:4]
	// 4
}
