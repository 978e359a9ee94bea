package linalg_test

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	funcdialect "github.com/go-acap/acap/mlir/dialect/func"
	"github.com/go-acap/acap/mlir/dialect/linalg"
	"github.com/go-acap/acap/mlir/dialect/tensor"
)

// The sums of the rows of a matrix.
func ExampleGeneric() {
	rows := mlir.Tensor(dtype.F32, []int{4})
	module := mlir.NewModule()
	f, b := funcdialect.New(module, "sums", []mlir.Type{mlir.Tensor(dtype.F32, []int{4, 8})},
		[]mlir.Type{rows})
	zero := arith.Constant(b, mlir.Float(0, mlir.F32))
	start := linalg.Fill(b, zero, tensor.Empty(b, rows))
	sums := linalg.Generic(b, f.Regions[0].Blocks[0].Args, []*mlir.Value{start},
		[]mlir.AffineMap{mlir.Identity(2), mlir.Projection(2, 0)},
		[]string{linalg.Parallel, linalg.Reduction},
		func(b *mlir.Builder, args []*mlir.Value) []*mlir.Value {
			return []*mlir.Value{arith.AddF(b, args[0], args[1])}
		})
	funcdialect.Return(b, sums...)
	fmt.Println(mlir.Verify(module))
	fmt.Print(module)
	// Output:
	// <nil>
	// #map = affine_map<(d0, d1) -> (d0, d1)>
	// #map1 = affine_map<(d0, d1) -> (d0)>
	// module {
	//   func.func @sums(%arg0: tensor<4x8xf32>) -> tensor<4xf32> {
	//     %cst = arith.constant 0.000000e+00 : f32
	//     %0 = tensor.empty() : tensor<4xf32>
	//     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
	//     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x8xf32>) outs(%1 : tensor<4xf32>) {
	//     ^bb0(%in: f32, %out: f32):
	//       %3 = arith.addf %in, %out : f32
	//       linalg.yield %3 : f32
	//     } -> tensor<4xf32>
	//     return %2 : tensor<4xf32>
	//   }
	// }
}
