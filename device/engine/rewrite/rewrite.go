package rewrite

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/engine/graph"
)

// rewriter changes the nodes of a graph before they become clusters.
type rewriter struct {
	*graph.Graph
	// evaluate computes the one result of a graph without arguments; nil if that fails.
	evaluate func(*graph.Graph) *buf.Buffer
	computed map[*graph.Tensor]*buf.Buffer // tensors that were needed while compiling
}

// Graph changes the nodes of a graph. Conversions move into products. Products read packed blocks in place. Softmax
// between two products becomes attention, which reads keys and values by an index in place of copies. Cheap values are
// computed where they are read. Long sums get a second level. A rule that depends on the elements of a tensor, such as
// a mask, has them evaluated. In a fixed order no rule changes the order of sums.
func Graph(g *graph.Graph, fixed bool, evaluate func(*graph.Graph) *buf.Buffer) {
	r := &rewriter{Graph: g, evaluate: evaluate}
	r.narrow()
	if !fixed {
		r.attention()
		r.lookUp()
	}
	r.readBlocks(fixed)
	r.absorb()
	r.inline()
	if !fixed {
		r.splitReductions()
	}
}
