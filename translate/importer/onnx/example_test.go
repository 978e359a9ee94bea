package onnx_test

import (
	"fmt"

	"github.com/go-acap/acap/translate/importer/onnx"
)

func ExampleLoad() {
	model, err := onnx.Load("testdata/layer.onnx")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, in := range model.Inputs() {
		fmt.Println(in.Name, in.DType, in.Shape)
	}
	types, _ := model.InputTypes()
	module, err := model.Import(types)
	fmt.Println(err)
	fmt.Print(module)
	// Output:
	// x f32 [1 3]
	// <nil>
	// module {
	//   func.func @main(%x: tensor<1x3xf32>) -> tensor<1x2xf32> {
	//     %weight = arith.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
	//     %0 = "aten.t"(%weight) : (tensor<2x3xf32>) -> tensor<3x2xf32>
	//     %bias = arith.constant dense<[7.000000e+00, 8.000000e+00]> : tensor<2xf32>
	//     %1 = "aten.addmm"(%bias, %x, %0) : (tensor<2xf32>, tensor<1x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
	//     %2 = "aten.relu"(%1) : (tensor<1x2xf32>) -> tensor<1x2xf32>
	//     return %2 : tensor<1x2xf32>
	//   }
	// }
}
