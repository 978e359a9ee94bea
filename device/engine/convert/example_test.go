package convert_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/device/engine/convert"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A transpose is a view of its operand: the graph of a transpose and a sum has one node, which reads the argument by
// the strides of the view.
func ExampleFunction() {
	module, err := mlir.Parse("f.mlir", []byte(`func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  %1 = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%0 : tensor<3x2xf32>) permutation = [1, 0]
  %2 = arith.addf %1, %y : tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}`))
	if err != nil {
		log.Fatal(err)
	}
	g, err := convert.Function(module.Func("f"), 100, false)
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range g.Nodes {
		fmt.Println(n.Op.Name, "loops", n.Extents)
		for _, in := range n.Ins {
			fmt.Println("reads argument", in.Tensor.Index, "by strides", in.Strides)
		}
	}
	// Output:
	// arith.addf loops [3 2]
	// reads argument 0 by strides [1 3]
	// reads argument 1 by strides [2 1]
}
