package engine

import "github.com/go-acap/acap/kernel"

// absorb lets an attention store where a copy of its result, its only reader,
// would: attention has no epilogue, but its result may have any strides.
func (g *graph) absorb() {
	var results []*tensor
	for _, n := range g.nodes {
		if n.kind == nodeAttend {
			results = append(results, n.outs[0].t)
		}
	}
	reader := g.soleReaders(results)
	changed := false
	for _, n := range g.nodes {
		if n.kind != nodeAttend {
			continue
		}
		if c := reader[n.outs[0].t]; c != nil {
			changed = n.storeAs(c) || changed
		}
	}
	if changed {
		g.live()
	}
}

// soleReaders returns, of some tensors, the nodes that read them, for those that are read in one place and are
// no results.
func (g *graph) soleReaders(of []*tensor) map[*tensor]*node {
	readers := make(map[*tensor][]*node, len(of))
	for _, t := range of {
		readers[t] = nil
	}
	for _, n := range g.nodes {
		for _, a := range n.ins {
			if list, asked := readers[a.t]; asked {
				readers[a.t] = append(list, n)
			}
		}
	}
	for _, r := range g.results {
		delete(readers, r.t)
	}
	sole := make(map[*tensor]*node, len(readers))
	for t, list := range readers {
		if len(list) == 1 {
			sole[t] = list[0]
		}
	}
	return sole
}

// storeAs makes n write the result of a node that copies n's result.
func (n *node) storeAs(c *node) bool {
	from := n.outs[0].access
	if c.kind != nodePointwise || len(c.outs) != 1 || len(c.ins) != 1 || c.ins[0].offset != 0 ||
		c.body[c.outs[0].value].Op != kernel.Load || c.outs[0].t.dtype != from.t.dtype ||
		c.points() != from.t.size || len(c.outs[0].t.writers) != 1 {
		return false
	}
	w := walk{c.extents, c.ins[0].strides}
	to := output{access: access{t: c.outs[0].t, offset: c.outs[0].offset, strides: make([]int, n.par)}}
	for l, s := range from.strides {
		var ok bool
		if to.strides[l], ok = w.along(c.outs[0].access, n.extents[l], s); !ok {
			return false
		}
	}
	t := n.attend
	strides := map[int]int{0: 0} // of the old result to those of the new one
	for l, s := range from.strides {
		strides[s] = to.strides[l]
	}
	o := t.O
	o.Offset, o.Row, o.Col = to.offset, strides[o.Row], strides[o.Col]
	o.Batch = make([]int, len(t.Batch))
	for i, s := range t.O.Batch {
		var ok bool
		if o.Batch[i], ok = w.along(c.outs[0].access, t.Batch[i], s); !ok {
			return false
		}
	}
	t.O = o
	n.outs[0] = to
	to.t.writers = []*node{n}
	from.t.writers = nil
	return true
}
