package emit_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/device/engine/convert"
	"github.com/go-acap/acap/device/engine/emit"
	"github.com/go-acap/acap/device/engine/fuse"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// The kernel of two operations on whole tensors keeps the value between them in a register.
func ExampleKernel() {
	module, err := mlir.Parse("f.mlir", []byte(`func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = arith.mulf %x, %x : tensor<2x3xf32>
  %1 = math.sqrt %0 : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}`))
	if err != nil {
		log.Fatal(err)
	}
	g, err := convert.Function(module.Func("f"), 100, false)
	if err != nil {
		log.Fatal(err)
	}
	fuse.Clusters(g, false, nil)
	c := g.Nodes[0].Cluster
	result := map[*graph.Tensor]bool{g.Results[0].Tensor: true}
	k, _ := emit.Kernel(c, emit.Name(c, 0), result, func(*graph.Tensor) bool { return false })
	fmt.Print(k)
	// Output:
	// nest "k0_pointwise" outer=[2,3] inner=[] {
	//   port f32 out len=6 offset=0 outer=[3,1] inner=[]
	//   port f32 in len=6 offset=0 outer=[3,1] inner=[]
	//   stage {
	//     %0 = load f32 port=1
	//     %1 = mul f32 %0 %0
	//     %2 = sqrt f32 %1
	//     store f32 %2 port=0
	//   }
	// }
}
