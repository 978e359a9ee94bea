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

// A pass of one's own runs by its name in every pipeline of the program that registers it: of this package, of package
// driver, which is `acap opt` as a function, and of the configuration of a device.
func ExampleRegister() {
	passes.Register(passes.Pass{Name: "double-negation", Doc: "remove pairs of negations", Run: func(root *mlir.Operation) error {
		return mlir.Rewrite(root, func(r *mlir.Rewriter, op *mlir.Operation) error {
			if op.Name != "arith.negf" {
				return nil
			}
			if inner := op.Operands[0].Def; inner != nil && inner.Name == "arith.negf" {
				r.Replace(inner.Operands[0])
			}
			return nil
		})
	}})
	module, err := mlir.Parse("twice.mlir", []byte(`func.func @twice(%x: f32) -> f32 {
  %0 = arith.negf %x : f32
  %1 = arith.negf %0 : f32
  return %1 : f32
}`))
	if err != nil {
		panic(err)
	}
	pipeline, err := passes.Parse("double-negation,dce")
	if err != nil {
		panic(err)
	}
	fmt.Println(pipeline.Run(module))
	fmt.Print(module)
	// Output:
	// <nil>
	// module {
	//   func.func @twice(%x: f32) -> f32 {
	//     return %x : f32
	//   }
	// }
}
