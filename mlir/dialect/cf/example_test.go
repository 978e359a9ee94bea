package cf_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
	"github.com/go-acap/acap/mlir/dialect/cf"
	funcdialect "github.com/go-acap/acap/mlir/dialect/func"
)

func ExampleBr() {
	module := mlir.NewModule()
	f, b := funcdialect.New(module, "same", []mlir.Type{mlir.F32}, []mlir.Type{mlir.F32})
	region := f.Regions[0]
	next := &mlir.Block{Region: region}
	region.Blocks = append(region.Blocks, next)
	y := next.AddArg(mlir.F32)
	cf.Br(b, next, region.Blocks[0].Args[0])
	funcdialect.Return(b.In(next), y)
	fmt.Println(mlir.Verify(module))
	fmt.Print(module)
	// Output:
	// <nil>
	// module {
	//   func.func @same(%arg0: f32) -> f32 {
	//     cf.br ^bb1(%arg0 : f32)
	//   ^bb1(%0: f32):  // pred: ^bb0
	//     return %0 : f32
	//   }
	// }
}
