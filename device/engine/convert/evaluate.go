package convert

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
)

// evaluate makes a node that evaluates an operation element by element, as it is
// written. It is for reductions that fold in a way that kernels do not have.
func (g *converter) evaluate(op *mlir.Operation) {
	n := &graph.Node{Kind: graph.Host, Op: op}
	var inputs []*mlir.Value
	seen := map[*mlir.Value]bool{}
	op.Walk(func(o *mlir.Operation) {
		for _, v := range o.Operands {
			if w, ok := g.find(v); ok && !seen[v] {
				seen[v] = true
				inputs = append(inputs, v)
				n.Ins = append(n.Ins, graph.Access{Tensor: g.inOrder(w).Tensor})
			}
		}
	})
	g.giveResults(n)
	n.Run = func(ports []*buf.Buffer) error {
		env := map[*mlir.Value]*buf.Buffer{}
		for i, v := range inputs {
			env[v] = ports[i].Reshape(dimsOf(v))
		}
		results, err := reference.Operation(op, env)
		for i := range results {
			copy(ports[len(inputs)+i].Bytes(), results[i].Bytes())
		}
		return err
	}
	g.add(n)
}

// giveResults makes the results of its operation outputs of a node, each as a whole in
// memory of its own.
func (g *converter) giveResults(n *graph.Node) {
	for _, r := range n.Op.Results {
		dims := dimsOf(r)
		t := graph.NewTensor(elemType(r.Type), dims)
		n.Outs = append(n.Outs, graph.Output{Access: graph.Access{Tensor: t}})
		g.values[r] = graph.Whole(t, dims)
	}
}

// inOrder returns a view of memory that holds the elements of v alone and in order.
func (g *converter) inOrder(v graph.View) graph.View {
	if v = g.inMemory(v); v.Covers() {
		return v
	}
	return g.copyOf(v)
}

func dimsOf(v *mlir.Value) []int {
	dims, _, _ := mlir.ShapeOf(v.Type)
	return dims
}
