package torchscript_test

import (
	"fmt"
	"os"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect/arith"
	_ "github.com/go-acap/acap/mlir/dialect/aten"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
	_ "github.com/go-acap/acap/mlir/dialect/func"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

func ExampleLoad() {
	model, err := torchscript.Load("testdata/net.pt")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("inputs:", model.InputNames())
	for _, p := range model.Parameters() {
		fmt.Println(p.Name, p.Data.DType, p.Data.Shape)
	}
	_, err = torchscript.Load("testdata/none.pt")
	fmt.Println(err)
	// Output:
	// inputs: [x y]
	// layers.0.weight f32 [2]
	// layers.0.offset f32 [2]
	// layers.1.weight f32 [2]
	// layers.1.offset f32 [2]
	// open testdata/none.pt: no such file or directory
}

// printer is an importer.Builder that writes down what it is given.
type printer struct{ scope string }

type typed ops.TensorType

func (t typed) Type() ops.TensorType { return ops.TensorType(t) }

func (p *printer) SetLocation(l mlir.Location) { p.scope = l.Name }

func (p *printer) Constant(name string, data *buf.Buffer) ops.Value {
	return typed{DType: data.DType, Shape: data.Shape}
}

func (p *printer) Emit(c *ops.Call) []ops.Value {
	fmt.Printf("%-9s %v\n", p.scope, c.Op.Name())
	results := make([]ops.Value, len(c.Out))
	for i, t := range c.Out {
		results[i] = typed(t)
	}
	return results
}

func ExampleModel_Forward() {
	model, err := torchscript.Load("testdata/net.pt")
	if err != nil {
		fmt.Println(err)
		return
	}
	x := typed{DType: dtype.F32, Shape: []int{3, 2}}
	results, err := model.Forward(&printer{}, []ops.Value{x})
	fmt.Println(len(results), results[0].Type(), err)
	// Output:
	// layers.0  mul.Tensor
	// layers.0  add.Tensor
	// layers.1  mul.Tensor
	// layers.1  add.Tensor
	//           mul.Scalar
	//           relu
	// 2 {f32 [3 2]} <nil>
}

func ExampleModel_Import() {
	model, err := torchscript.Load("testdata/net.pt")
	if err != nil {
		fmt.Println(err)
		return
	}
	module, err := model.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{3, 2}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	mlir.Print(os.Stdout, module, mlir.PrintOptions{Pretty: true})
	// Output:
	// module {
	//   func.func @main(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
	//     %layers.0.weight = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
	//     %0 = aten.mul.Tensor %x, %layers.0.weight : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
	//     %layers.0.offset = arith.constant dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
	//     %1 = aten.add.Tensor %0, %layers.0.offset : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
	//     %layers.1.weight = arith.constant dense<[5.000000e+00, 6.000000e+00]> : tensor<2xf32>
	//     %2 = aten.mul.Tensor %1, %layers.1.weight : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
	//     %layers.1.offset = arith.constant dense<[7.000000e+00, 8.000000e+00]> : tensor<2xf32>
	//     %3 = aten.add.Tensor %2, %layers.1.offset : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
	//     %4 = aten.mul.Scalar %3 {other = 2 : i64} : (tensor<3x2xf32>) -> tensor<3x2xf32>
	//     %5 = aten.relu %4 : (tensor<3x2xf32>) -> tensor<3x2xf32>
	//     return %5, %3 : tensor<3x2xf32>, tensor<3x2xf32>
	//   }
	// }
}

func ExampleLoad_quantized() {
	model, err := torchscript.Load("testdata/quantized/linear.pt")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range model.Parameters() {
		fmt.Println(p.Name, p.Data.DType, p.Data.Shape)
	}
	module, err := model.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{3, 8}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, op := range module.Body().Ops[0].Body().Ops {
		if op.Name == "aten._int_mm" {
			fmt.Println(op.Operands[0].Type, op.Operands[1].Type)
		}
	}
	// Output:
	// quant.scale f32 [1]
	// quant.zero_point i64 [1]
	// body.0._packed_params._packed_params.weight.int_repr i8 [6 8]
	// body.0._packed_params._packed_params.bias f32 [6]
	// tensor<3x8xui8> tensor<8x6xi8>
}

func ExampleModel_InputTypes() {
	model, err := torchscript.Load("testdata/linear.pt2") // relu(linear(x) + 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	types, _ := model.InputTypes()
	fmt.Println(model.InputNames(), types)
	// Output: [x] [{f32 [1 3]}]
}
