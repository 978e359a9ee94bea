package arith_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
	funcdialect "github.com/go-acap/acap/mlir/dialect/func"
)

func Example() {
	module := mlir.NewModule()
	f, b := funcdialect.New(module, "larger", []mlir.Type{mlir.F32, mlir.F32}, []mlir.Type{mlir.F32})
	args := f.Regions[0].Blocks[0].Args
	two := arith.Constant(b, mlir.Float(2, mlir.F32))
	funcdialect.Return(b, arith.MaximumF(b, arith.AddF(b, args[0], two), args[1]))
	fmt.Println(mlir.Verify(module))
	fmt.Print(module)
	// Output:
	// <nil>
	// module {
	//   func.func @larger(%arg0: f32, %arg1: f32) -> f32 {
	//     %cst = arith.constant 2.000000e+00 : f32
	//     %0 = arith.addf %arg0, %cst : f32
	//     %1 = arith.maximumf %0, %arg1 : f32
	//     return %1 : f32
	//   }
	// }
}
