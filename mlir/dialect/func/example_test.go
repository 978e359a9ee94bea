package funcdialect_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
	funcdialect "github.com/go-acap/acap/mlir/dialect/func"
)

func Example() {
	module := mlir.NewModule()
	types := []mlir.Type{mlir.F32}
	outside := funcdialect.Declare(module, "outside", types, types)
	f, b := funcdialect.New(module, "main", types, types)
	funcdialect.Return(b, funcdialect.Call(b, outside, f.Regions[0].Blocks[0].Args...)...)
	fmt.Println(mlir.Verify(module), f.Symbol())
	fmt.Print(module)
	// Output:
	// <nil> main
	// module {
	//   func.func private @outside(f32) -> f32
	//   func.func @main(%arg0: f32) -> f32 {
	//     %0 = call @outside(%arg0) : (f32) -> f32
	//     return %0 : f32
	//   }
	// }
}
