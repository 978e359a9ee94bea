package convert

import (
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

func init() {
	for name := range acap.Kernels {
		converters[name] = (*converter).ordered
	}
}

// ordered makes a node of an operation of the acap dialect.
func (g *converter) ordered(op *mlir.Operation) {
	if err := acap.Verify(op); err != nil {
		g.fail("%v", err)
		return
	}
	k := acap.Kernels[op.Name]
	n := &graph.Node{Kind: graph.Ordered, Op: op, What: k.Kind}
	n.Ordered = func(name string, ports []kernel.Port) kernel.Kernel { return k.Of(op, name, ports) }
	for _, v := range op.Operands {
		w, ok := g.value(v)
		if !ok {
			return
		}
		w = g.inOrder(w)
		n.Ins = append(n.Ins, graph.Access{Tensor: w.Tensor, As: w.DType})
	}
	g.giveResults(n)
	g.add(n)
}
