package importer_test

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

// An importer sends the calls of a model to a builder. This builder writes them as a module.
func ExampleModule() {
	forward := func(b importer.Builder, in []ops.Value) ([]ops.Value, error) {
		e := ops.Emit{Builder: b}
		return []ops.Value{e.Add(in[0], b.Constant("bias", buf.From([]float32{1, 2}, 2)))}, nil
	}
	x := ops.TensorType{DType: dtype.F32, Shape: []int{3, 2}}
	module, err := importer.Module("shift", []string{"x"}, []ops.TensorType{x}, forward)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(module)
	// Output:
	// module {
	//   func.func @main(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
	//     %bias = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
	//     %0 = "aten.add.Tensor"(%x, %bias) : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
	//     return %0 : tensor<3x2xf32>
	//   }
	// }
}

// Of two boxes that cover the same place the better one stays.
func ExampleSuppress() {
	boxes := []importer.Box{{Bottom: 10, Right: 10}, {Top: 1, Bottom: 10, Right: 10}, {Top: 20, Left: 20, Bottom: 30, Right: 30}}
	scores := []float64{0.6, 0.9, 0.5}
	fmt.Println(importer.Suppress([]int{0, 1, 2}, func(i int) importer.Box { return boxes[i] },
		func(i int) float64 { return scores[i] }, 0.5, 10, func(int) {}))
	// Output: [1 2]
}
