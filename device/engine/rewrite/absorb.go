package rewrite

import (
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// absorb lets an attention store where a copy of its result, its only reader,
// would: attention has no epilogue, but its result may have any strides.
func (r *rewriter) absorb() {
	var results []*graph.Tensor
	for _, n := range r.Nodes {
		if n.Kind == graph.Attend {
			results = append(results, n.Outs[0].Tensor)
		}
	}
	reader := r.soleReaders(results)
	changed := false
	for _, n := range r.Nodes {
		if n.Kind != graph.Attend {
			continue
		}
		if c := reader[n.Outs[0].Tensor]; c != nil {
			changed = storeAs(n, c) || changed
		}
	}
	if changed {
		r.Live()
	}
}

// soleReaders returns, of some tensors, the nodes that read them, for those that are read in one place and are
// no results.
func (r *rewriter) soleReaders(of []*graph.Tensor) map[*graph.Tensor]*graph.Node {
	readers := make(map[*graph.Tensor][]*graph.Node, len(of))
	for _, t := range of {
		readers[t] = nil
	}
	for _, n := range r.Nodes {
		for _, a := range n.Ins {
			if list, asked := readers[a.Tensor]; asked {
				readers[a.Tensor] = append(list, n)
			}
		}
	}
	for _, r := range r.Results {
		delete(readers, r.Tensor)
	}
	sole := make(map[*graph.Tensor]*graph.Node, len(readers))
	for t, list := range readers {
		if len(list) == 1 {
			sole[t] = list[0]
		}
	}
	return sole
}

// storeAs makes n write the result of a node that copies n's result.
func storeAs(n *graph.Node, c *graph.Node) bool {
	from := n.Outs[0].Access
	if c.Kind != graph.Pointwise || len(c.Outs) != 1 || len(c.Ins) != 1 || c.Ins[0].Offset != 0 ||
		c.Body[c.Outs[0].Value].Op != kernel.Load || c.Outs[0].Tensor.DType != from.Tensor.DType ||
		c.Points() != from.Tensor.Size || len(c.Outs[0].Tensor.Writers) != 1 {
		return false
	}
	w := walk{c.Extents, c.Ins[0].Strides}
	to := graph.Output{Access: graph.Access{Tensor: c.Outs[0].Tensor, Offset: c.Outs[0].Offset, Strides: make([]int, n.Par)}}
	for l, s := range from.Strides {
		var ok bool
		if to.Strides[l], ok = w.along(c.Outs[0].Access, n.Extents[l], s); !ok {
			return false
		}
	}
	t := n.Attend
	strides := map[int]int{0: 0} // from strides of the old result to strides of the new one
	for l, s := range from.Strides {
		strides[s] = to.Strides[l]
	}
	o := t.O
	o.Offset, o.Row, o.Col = to.Offset, strides[o.Row], strides[o.Col]
	o.Batch = make([]int, len(t.Batch))
	for i, s := range t.O.Batch {
		var ok bool
		if o.Batch[i], ok = w.along(c.Outs[0].Access, t.Batch[i], s); !ok {
			return false
		}
	}
	t.O = o
	n.Outs[0] = to
	to.Tensor.Writers = []*graph.Node{n}
	from.Tensor.Writers = nil
	return true
}
