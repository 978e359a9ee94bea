package engine

import (
	"slices"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/tensor/dtype"
)

// maxParts is how many parts a long reduction is split into, at most.
const maxParts = 64

// splitReductions gives long reductions to few results a second level: parts that
// run in parallel, and a fold of the parts. The result does not depend on the
// number of threads, because the parts do not.
func (g *graph) splitReductions() {
	var nodes []*node
	for _, n := range g.nodes {
		if part := n.parts(); part != nil {
			nodes = append(nodes, part)
		}
		nodes = append(nodes, n)
	}
	for i, n := range nodes {
		n.id = i
	}
	g.nodes = nodes
}

// parts turns a long reduction into the fold of its parts, and returns the node
// that computes these, or nil if the node stays as it is.
func (n *node) parts() *node {
	results := product(n.extents[:n.par])
	if n.kind != nodeReduce || results >= fewRows || product(n.extents[n.par:]) <= longRow {
		return nil
	}
	for _, o := range n.outs {
		if d := o.reduce.Type; o.reduce.Kind.IsArg() || d == dtype.F16 || d == dtype.BF16 {
			return nil
		}
	}
	// The outermost loop that has a divisor gives the parts.
	at, count := -1, 1
	for l := n.par; l < len(n.extents) && at < 0; l++ {
		for c := min(maxParts, n.extents[l]); c >= fewRows; c-- {
			if n.extents[l]%c == 0 {
				at, count = l, c
				break
			}
		}
	}
	if at < 0 {
		return nil
	}
	part := &node{kind: nodeReduce, op: n.op, par: n.par + 1}
	part.extents = slices.Insert(slices.Clone(n.extents), n.par, count)
	part.extents[at+1] /= count
	for _, a := range n.ins {
		s := slices.Insert(slices.Clone(a.strides), n.par, a.strides[at]*part.extents[at+1])
		part.ins = append(part.ins, access{t: a.t, as: a.as, offset: a.offset, strides: s})
	}
	part.body = n.shiftIndices(at, part.extents[at+1])
	n.foldParts(part, count, int(results))
	return part
}

// shiftIndices is the body of n with the loop of the parts in front of the
// reduction loops; loop at has the given extent in each part.
func (n *node) shiftIndices(at, extent int) kernel.Body {
	b := kernel.NewBody()
	values := make([]int, len(n.body))
	for k, i := range n.body {
		if i.Op != kernel.Index || i.Port < n.par {
			values[k] = b.Emit(i.Renumbered(values))
			continue
		}
		values[k] = b.Index(i.Port + 1)
		if i.Port == at {
			size := b.Const(dtype.I64, float64(extent))
			values[k] = b.Binary(kernel.Add, b.Binary(kernel.Mul, b.Index(n.par), size), values[k])
		}
	}
	for i := range n.outs {
		n.outs[i].value = values[n.outs[i].value]
	}
	return b.Body()
}

// foldParts lets part have the reductions of n, and n fold their results.
func (n *node) foldParts(part *node, count, results int) {
	b := kernel.NewBody()
	n.ins = nil
	for i := range n.outs {
		o := &n.outs[i]
		t := &tensor{dtype: o.reduce.Type, size: results * count, writers: []*node{part}}
		first := *o.reduce
		first.Init, first.Value = fold{kind: first.Kind}.identity(first.Type), o.value
		strides := make([]int, part.par)
		next := 1
		for l := part.par - 1; l >= 0; l-- {
			strides[l] = next
			next *= part.extents[l]
		}
		part.outs = append(part.outs, output{access: access{t: t, strides: strides},
			value: o.value, reduce: &first})
		n.ins = append(n.ins, access{t: t, strides: strides})
		second := *o.reduce
		o.value = b.Load(i, t.dtype)
		second.Value = o.value
		o.reduce = &second
	}
	n.extents = append(append([]int(nil), n.extents[:n.par]...), count)
	n.body = b.Body()
}
