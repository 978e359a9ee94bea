package mlir_test

import (
	"fmt"
	"os"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/dialect/arith"
	funcdialect "github.com/go-acap/acap/mlir/dialect/func"
	"github.com/go-acap/acap/mlir/dialect/linalg"
	"github.com/go-acap/acap/mlir/dialect/tensor"
)

func ExampleParse() {
	module, err := mlir.Parse("twice.mlir", []byte(`
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %sum = arith.addf %x, %x : tensor<4xf32>
  return %sum : tensor<4xf32>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, op := range module.Func("twice").Body().Ops {
		fmt.Println(op.Name, op.Loc.Short())
	}
	// Output:
	// arith.addf twice.mlir:3:10
	// func.return twice.mlir:4:3
}

func ExampleParse_error() {
	_, err := mlir.Parse("wrong.mlir", []byte("func.func @f(%x: i32) {\n  return %y : i32\n}"))
	fmt.Println(err)
	// Output: wrong.mlir:2:10: error: use of undefined value %y
}

func ExampleBuilder() {
	module := mlir.NewModule()
	t := mlir.Tensor(dtype.F32, []int{2, 3})
	row := mlir.Tensor(dtype.F32, []int{2})
	f, b := funcdialect.New(module, "sum", []mlir.Type{t}, []mlir.Type{row})
	zero := linalg.Fill(b, arith.Constant(b, mlir.Float(0, mlir.F32)), tensor.Empty(b, row))
	sums := linalg.Generic(b, f.Body().Args, []*mlir.Value{zero},
		[]mlir.AffineMap{mlir.Identity(2), mlir.Projection(2, 0)},
		[]string{linalg.Parallel, linalg.Reduction},
		func(b *mlir.Builder, args []*mlir.Value) []*mlir.Value {
			return []*mlir.Value{arith.AddF(b, args[0], args[1])}
		})
	funcdialect.Return(b, sums...)
	if err := mlir.Verify(module); err != nil {
		fmt.Println(err)
	}
	mlir.Print(os.Stdout, module, mlir.PrintOptions{})
	// Output:
	// #map = affine_map<(d0, d1) -> (d0, d1)>
	// #map1 = affine_map<(d0, d1) -> (d0)>
	// module {
	//   func.func @sum(%arg0: tensor<2x3xf32>) -> tensor<2xf32> {
	//     %cst = arith.constant 0.000000e+00 : f32
	//     %0 = tensor.empty() : tensor<2xf32>
	//     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2xf32>) -> tensor<2xf32>
	//     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<2x3xf32>) outs(%1 : tensor<2xf32>) {
	//     ^bb0(%in: f32, %out: f32):
	//       %3 = arith.addf %in, %out : f32
	//       linalg.yield %3 : f32
	//     } -> tensor<2xf32>
	//     return %2 : tensor<2xf32>
	//   }
	// }
}

func ExamplePrint_spelling() {
	module, err := mlir.Parse("graph.mlir", []byte(`func.func @graph(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = aten.relu %x : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	mlir.Print(os.Stdout, module, mlir.PrintOptions{Spelling: mlir.ACAP2019})
	mlir.Print(os.Stdout, module, mlir.PrintOptions{Pretty: true})
	// Output:
	// module {
	//   func @graph(%x: tensor<2xf32>) -> tensor<2xf32> {
	//     %0 = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
	//     return %0 : tensor<2xf32>
	//   }
	// }
	// module {
	//   func.func @graph(%x: tensor<2xf32>) -> tensor<2xf32> {
	//     %0 = aten.relu %x : (tensor<2xf32>) -> tensor<2xf32>
	//     return %0 : tensor<2xf32>
	//   }
	// }
}
