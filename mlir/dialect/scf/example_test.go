package scf_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
	funcdialect "github.com/go-acap/acap/mlir/dialect/func"
	"github.com/go-acap/acap/mlir/dialect/scf"
)

// Doubling a number ten times.
func ExampleFor() {
	module := mlir.NewModule()
	f, b := funcdialect.New(module, "double", []mlir.Type{mlir.F32}, []mlir.Type{mlir.F32})
	from, to, step := arith.Index(b, 0), arith.Index(b, 10), arith.Index(b, 1)
	last := scf.For(b, from, to, step, f.Regions[0].Blocks[0].Args,
		func(b *mlir.Builder, _ *mlir.Value, x []*mlir.Value) []*mlir.Value {
			return []*mlir.Value{arith.AddF(b, x[0], x[0])}
		})
	funcdialect.Return(b, last...)
	fmt.Println(mlir.Verify(module))
	fmt.Print(module)
	// Output:
	// <nil>
	// module {
	//   func.func @double(%arg0: f32) -> f32 {
	//     %c0 = arith.constant 0 : index
	//     %c10 = arith.constant 10 : index
	//     %c1 = arith.constant 1 : index
	//     %0 = scf.for %arg1 = %c0 to %c10 step %c1 iter_args(%arg2 = %arg0) -> (f32) {
	//       %1 = arith.addf %arg2, %arg2 : f32
	//       scf.yield %1 : f32
	//     }
	//     return %0 : f32
	//   }
	// }
}
