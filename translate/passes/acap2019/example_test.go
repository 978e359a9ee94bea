package acap2019_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/passes/acap2019"
)

func ExampleTo() {
	module, err := mlir.Parse("sum.mlir", []byte(`func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.add.Tensor"(%x, %x) {alpha = 2 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}`))
	if err != nil {
		panic(err)
	}
	if err := acap2019.To(module); err != nil {
		panic(err)
	}
	fmt.Println(module)
	if err := acap2019.From(module); err != nil {
		panic(err)
	}
	fmt.Println(module)
	// Output:
	// module {
	//   func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
	//     %0 = "aten.constant"() {type = "i32", value = 2 : i32} : () -> i32
	//     %1 = "aten.add"(%x, %x, %0) : (tensor<2xf32>, tensor<2xf32>, i32) -> tensor<2xf32>
	//     return %1 : tensor<2xf32>
	//   }
	// }
	// module {
	//   func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
	//     %0 = "aten.add.Tensor"(%x, %x) {alpha = 2 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
	//     return %0 : tensor<2xf32>
	//   }
	// }
}
