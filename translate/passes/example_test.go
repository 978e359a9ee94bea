package passes_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/passes"
)

func ExampleParse() {
	module, err := mlir.Parse("twice.mlir", []byte(`func.func @twice(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  %1 = arith.addf %x, %x : f32
  %2 = arith.mulf %0, %1 : f32
  return %2 : f32
}`))
	if err != nil {
		panic(err)
	}
	pipeline, err := passes.Parse("canonicalize,cse")
	if err != nil {
		panic(err)
	}
	fmt.Println(pipeline.Run(module))
	fmt.Print(module)
	// Output:
	// <nil>
	// module {
	//   func.func @twice(%x: f32) -> f32 {
	//     %0 = arith.addf %x, %x : f32
	//     %1 = arith.mulf %0, %0 : f32
	//     return %1 : f32
	//   }
	// }
}
