package emit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/engine/convert"
	"github.com/go-acap/acap/device/engine/emit"
	"github.com/go-acap/acap/device/engine/fuse"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// kernels are the kernels of a function, whose clusters are fused without being rewritten.
func kernels(t *testing.T, text string) (list []kernel.Kernel) {
	module, err := mlir.Parse("f.mlir", []byte(text))
	require.NoError(t, err)
	g, err := convert.Function(module.Body().Ops[0], 1<<10, false)
	require.NoError(t, err)
	g.Live()
	fuse.Clusters(g, false, nil)
	external := map[*graph.Tensor]bool{}
	for _, r := range g.Results {
		external[r.Tensor] = true
	}
	var clusters []*graph.Cluster
	for _, n := range g.Nodes {
		if !slices.Contains(clusters, n.Cluster) {
			clusters = append(clusters, n.Cluster)
		}
		for _, a := range n.Ins {
			for _, w := range a.Tensor.Writers {
				if w.Cluster != n.Cluster {
					external[a.Tensor] = true
				}
			}
		}
	}
	for i, c := range clusters {
		k, tensors := emit.Kernel(c, emit.Name(c, i), external, func(t *graph.Tensor) bool { return t.Kind == graph.Constant })
		require.NoError(t, kernel.Verify(k), text)
		again, err := kernel.Parse(kernelText(k))
		require.NoError(t, err, kernelText(k))
		require.Equal(t, kernelText(k), kernelText(again))
		ports := k.Ports()
		require.Len(t, ports, len(tensors))
		for j, p := range ports {
			require.Equal(t, tensors[j].DType, p.DType)
			require.Equal(t, tensors[j].Size, p.Len)
		}
		list = append(list, k)
	}
	return list
}

func kernelText(k kernel.Kernel) string { return k.(interface{ String() string }).String() }

// count is how often an operation is in the stages of a nest.
func count(n *kernel.Nest, op kernel.Op) (c int) {
	for _, s := range n.Stages {
		for _, i := range s.Body {
			if i.Op == op {
				c++
			}
		}
	}
	return c
}

// rows is a function that subtracts from f(x) the greatest f(x) of its row.
func rows(f string) string {
	return strings.ReplaceAll(`func.func @main(%x: M, %low: V) -> M {
  %one = arith.constant dense<1.0> : M
  %y = `+f+` : M
  %m = linalg.reduce { arith.maximumf } ins(%y : M) outs(%low : V) dimensions = [1]
  %e = tensor.empty() : M
  %b = linalg.broadcast ins(%m : V) outs(%e : M) dimensions = [1]
  %r = arith.subf %y, %b : M
  return %r : M
}`, "M", "tensor<4x6xf32>")
}

// TestNest: a value that two stages of a nest need is computed in both if that is cheap, and kept if it is not.
func TestNest(t *testing.T) {
	for f, c := range map[string]struct {
		op       kernel.Op
		computed int
		kept     int // the greatest value of the row, and what is not computed again
	}{
		"arith.addf %x, %one": {kernel.Add, 2, 1},
		"math.exp %x":         {kernel.Exp, 1, 2},
	} {
		list := kernels(t, strings.ReplaceAll(rows(f), "V", "tensor<4xf32>"))
		require.Len(t, list, 1, f)
		n := list[0].(*kernel.Nest)
		require.Equal(t, [2][]int{{4}, {6}}, [2][]int{n.Outer, n.Inner})
		require.Equal(t, c.computed, count(n, c.op), f)
		require.Equal(t, c.kept, count(n, kernel.Kept), f)
		require.Equal(t, 1, count(n, kernel.Store))
	}
}

// TestContraction: what a product's sums pass through before they are stored is its epilogue, which reads other
// operands along the product's loops.
func TestContraction(t *testing.T) {
	list := kernels(t, `func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %bias: tensor<6xf32>, %zero: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %row = linalg.broadcast ins(%bias : tensor<6xf32>) outs(%e : tensor<4x6xf32>) dimensions = [0]
  %s = arith.addf %p, %row : tensor<4x6xf32>
  %r = math.exp %s : tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}`)
	require.Len(t, list, 1)
	c := list[0].(*kernel.Contraction)
	require.Equal(t, [3]int{4, 6, 8}, [3]int{c.M, c.N, c.K})
	strides := map[int][]int{} // by length: of what is added to the sums, of the bias and of the results
	for _, a := range c.Epilogue.Access {
		strides[a.Len] = a.Outer
	}
	require.Equal(t, map[int][]int{24: {6, 1}, 6: {0, 1}}, strides)
	require.Equal(t, 1, count(&kernel.Nest{Stages: []kernel.Stage{{Body: c.Epilogue.Body}}}, kernel.Exp))
}
