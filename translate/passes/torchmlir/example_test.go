package torchmlir_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/passes/torchmlir"
)

// Arguments of an operator are operands in torch-mlir and attributes in aten: the way there and back gives the same
// module.
func Example() {
	module, err := mlir.Parse("sum.mlir", []byte(`func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %0 = "aten.sum.dim_IntList"(%x) {dim = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}`))
	if err != nil {
		panic(err)
	}
	before := module.String()
	if err := torchmlir.To(module); err != nil {
		panic(err)
	}
	fmt.Print(module.Text(mlir.PrintOptions{Pretty: true}))
	if err := torchmlir.From(module); err != nil {
		panic(err)
	}
	fmt.Println(module.String() == before)
	// Output:
	// module {
	//   func.func @main(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2],f32> {
	//     %int = torch.constant.int 1
	//     %0 = torch.prim.ListConstruct %int : (!torch.int) -> !torch.list<int>
	//     %bool = torch.constant.bool false
	//     %none = torch.constant.none
	//     %1 = torch.aten.sum.dim_IntList %x, %0, %bool, %none : !torch.vtensor<[2,3],f32>, !torch.list<int>, !torch.bool, !torch.none -> !torch.vtensor<[2],f32>
	//     return %1 : !torch.vtensor<[2],f32>
	//   }
	// }
	// true
}
