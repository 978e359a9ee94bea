package fuse_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/device/engine/convert"
	"github.com/go-acap/acap/device/engine/fuse"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A product, a bias and a relu become one kernel; the exponential of the argument has nothing to do with them and stays
// apart.
func ExampleClusters() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %bias: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %product = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) -> tensor<4x16xf32>
  %sum = arith.addf %product, %bias : tensor<4x16xf32>
  %relu = arith.maximumf %sum, %zeros : tensor<4x16xf32>
  %exp = math.exp %x : tensor<4x8xf32>
  return %relu, %exp : tensor<4x16xf32>, tensor<4x8xf32>
}`))
	if err != nil {
		log.Fatal(err)
	}
	g, err := convert.Function(module.Func("f"), 100, false)
	if err != nil {
		log.Fatal(err)
	}
	fuse.Clusters(g, false, nil)
	seen := map[*graph.Cluster]bool{}
	for _, n := range g.Nodes {
		if seen[n.Cluster] {
			continue
		}
		seen[n.Cluster] = true
		fmt.Print("kernel:")
		for _, m := range n.Cluster.Members {
			fmt.Print(" ", m.Node.Op.Name)
		}
		fmt.Println()
	}
	// Output:
	// kernel: linalg.matmul arith.addf arith.maximumf
	// kernel: math.exp
}
