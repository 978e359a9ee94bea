package aten_test

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
	funcdialect "github.com/go-acap/acap/mlir/dialect/func"
)

func ExampleCreate() {
	module := mlir.NewModule()
	pair := mlir.Tensor(dtype.F32, []int{2})
	f, b := funcdialect.New(module, "twice", []mlir.Type{pair}, []mlir.Type{pair})
	x := f.Regions[0].Blocks[0].Args[0]
	sum := aten.Create(b, "add.Tensor", []*mlir.Value{x, x}, []mlir.Type{pair}, nil)
	funcdialect.Return(b, sum.Results[0])
	fmt.Print(module)
	// Output:
	// module {
	//   func.func @twice(%arg0: tensor<2xf32>) -> tensor<2xf32> {
	//     %0 = "aten.add.Tensor"(%arg0, %arg0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
	//     return %0 : tensor<2xf32>
	//   }
	// }
}
