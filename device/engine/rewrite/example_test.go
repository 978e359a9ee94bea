package rewrite_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/device/engine/convert"
	"github.com/go-acap/acap/device/engine/rewrite"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A sum of a million elements is one result, which one thread would compute: it becomes many partial sums, and their
// sum. In a fixed order it stays as it is.
func ExampleGraph() {
	for _, fixed := range []bool{false, true} {
		module, err := mlir.Parse("f.mlir", []byte(`func.func @f(%x: tensor<1048576xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.reduce {arith.addf} ins(%x : tensor<1048576xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  return %0 : tensor<f32>
}`))
		if err != nil {
			log.Fatal(err)
		}
		g, err := convert.Function(module.Func("f"), 100, fixed)
		if err != nil {
			log.Fatal(err)
		}
		rewrite.Graph(g, fixed, nil)
		for _, n := range g.Nodes {
			fmt.Println("fixed:", fixed, "results", n.Extents[:n.Par], "summed", n.Extents[n.Par:])
		}
	}
	// Output:
	// fixed: false results [64] summed [16384]
	// fixed: false results [] summed [64]
	// fixed: true results [] summed [1048576]
}
