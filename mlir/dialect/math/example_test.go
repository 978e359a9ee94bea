package math_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
	funcdialect "github.com/go-acap/acap/mlir/dialect/func"
	"github.com/go-acap/acap/mlir/dialect/math"
)

func Example() {
	module := mlir.NewModule()
	f, b := funcdialect.New(module, "softplus", []mlir.Type{mlir.F32}, []mlir.Type{mlir.F32})
	x := f.Regions[0].Blocks[0].Args[0]
	funcdialect.Return(b, math.Log1p(b, math.Exp(b, x)))
	fmt.Println(mlir.Verify(module))
	fmt.Print(module)
	// Output:
	// <nil>
	// module {
	//   func.func @softplus(%arg0: f32) -> f32 {
	//     %0 = math.exp %arg0 : f32
	//     %1 = math.log1p %0 : f32
	//     return %1 : f32
	//   }
	// }
}
