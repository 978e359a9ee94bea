package engine

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

const (
	// maxParts is how many equal parts a long reduction is split into, at most, if a loop has a
	// divisor for that.
	maxParts = 64
	// callRow is the longest row that one unit of a kernel walks through, for nothing can interrupt
	// it, and partRow how long the parts of a longer one are.
	callRow = 1 << 17
	partRow = 1 << 16
)

// splitReductions gives long reductions to few results a second level, and a third if need be: parts
// that run in parallel, and a fold of the parts. The result does not depend on the number of threads,
// because the parts do not.
func (g *graph) splitReductions() {
	var nodes []*node
	var add func(n *node)
	add = func(n *node) {
		parts := n.parts()
		for _, p := range parts {
			add(p)
		}
		if len(parts) > 0 {
			add(n)
			return
		}
		n.id = len(nodes)
		nodes = append(nodes, n)
	}
	for _, n := range g.nodes {
		add(n)
	}
	g.nodes = nodes
}

// parts turns a long reduction into the fold of its parts, and returns the nodes that compute these, or
// nil if the node stays as it is.
func (n *node) parts() []*node {
	if n.kind != nodeReduce {
		return nil
	}
	results, row := product(n.extents[:n.par]), product(n.extents[n.par:])
	if row <= longRow || results >= fewRows && row <= callRow || !n.splits() {
		return nil
	}
	at, count := n.divisor(row)
	if at < 0 { // the longest loop in pieces, the last of which may be shorter
		at = n.par
		for l := at; l < len(n.extents); l++ {
			if n.extents[l] > n.extents[at] {
				at = l
			}
		}
		count = min((int(row)+partRow-1)/partRow, n.extents[at])
		if row <= callRow {
			count = min(fewRows, n.extents[at])
		}
	}
	size := (n.extents[at] + count - 1) / count
	full, rest := n.extents[at]/size, n.extents[at]%size
	all := full
	if rest > 0 {
		all++
	}
	f := &folded{n: n, at: at, size: size, count: all}
	f.tensors(int(results))
	nodes := []*node{f.part(0, full, size)}
	if rest > 0 {
		nodes = append(nodes, f.part(full, 1, rest))
	}
	f.fold()
	return nodes
}

// splits reports whether the reductions of a node may be folded in parts: not sums that would be
// rounded to half precision in between.
func (n *node) splits() bool {
	for _, o := range n.outs {
		half := o.reduce.Type == dtype.F16 || o.reduce.Type == dtype.BF16
		sums := o.reduce.Kind == kernel.ReduceSum || o.reduce.Kind == kernel.ReduceProd
		if half && sums {
			return false
		}
	}
	return true
}

// divisor returns the outermost loop that can be cut into a few equal parts, of which none is too
// long, or -1.
func (n *node) divisor(row int64) (at, count int) {
	for l := n.par; l < len(n.extents); l++ {
		for c := min(maxParts, n.extents[l]); c >= fewRows; c-- {
			if n.extents[l]%c == 0 && row/int64(c) <= callRow {
				return l, c
			}
		}
	}
	return -1, 0
}

// folded is a reduction that is being split: loop at is cut into count parts of a size, of which the
// last may be shorter.
type folded struct {
	n        *node
	at       int
	size     int
	count    int
	partials []access // of each output: what the parts give, along the loops of the results and the parts
}

// tensors makes the tensors of the partial results.
func (f *folded) tensors(results int) {
	par := f.n.par
	for i := range f.n.outs {
		strides := make([]int, par+1)
		next := 1
		for l := par; l >= 0; l-- {
			strides[l] = next
			if l == par {
				next *= f.count
			} else {
				next *= f.n.extents[l]
			}
		}
		t := &tensor{dtype: f.n.outs[i].reduce.Type, size: results * f.count}
		f.partials = append(f.partials, access{t: t, strides: strides})
	}
}

// part returns the node that computes count parts, from part first on, of the given extent.
func (f *folded) part(first, count, extent int) *node {
	n, at := f.n, f.at
	p := &node{kind: nodeReduce, op: n.op, par: n.par + 1}
	p.extents = slices.Insert(slices.Clone(n.extents), n.par, count)
	p.extents[at+1] = extent
	for _, a := range n.ins {
		s := slices.Insert(slices.Clone(a.strides), n.par, a.strides[at]*f.size)
		p.ins = append(p.ins, access{t: a.t, as: a.as, offset: a.offset + first*f.size*a.strides[at], strides: s})
	}
	body, values := n.shiftIndices(at, first*f.size, f.size)
	p.body = body
	for i, o := range n.outs {
		r := *o.reduce
		r.Init, r.Value = fold{kind: r.Kind}.identity(r.Type), values[o.value]
		to := f.partials[i]
		to.offset = first
		p.outs = append(p.outs, output{access: to, value: r.Value, reduce: &r,
			box: [][3]int{{first, count, 1}}, apart: true})
		to.t.writers = append(to.t.writers, p)
	}
	return p
}

// shiftIndices is the body of n with the loop of the parts in front of the reduction loops, and with
// the index of loop at counted from first, in steps of size from part to part.
func (n *node) shiftIndices(at, first, size int) (kernel.Body, []int) {
	b := kernel.NewBody()
	values := make([]int, len(n.body))
	for k, i := range n.body {
		if i.Op != kernel.Index || i.Port < n.par {
			values[k] = b.Emit(i.Renumbered(values))
			continue
		}
		values[k] = b.Index(i.Port + 1)
		if i.Port == at {
			step := b.Binary(kernel.Mul, b.Index(n.par), b.Const(dtype.I64, float64(size)))
			values[k] = b.Binary(kernel.Add, step, values[k])
			if first > 0 {
				values[k] = b.Binary(kernel.Add, values[k], b.Const(dtype.I64, float64(first)))
			}
		}
	}
	return b.Body(), values
}

// fold makes the node the fold of the partial results.
func (f *folded) fold() {
	n := f.n
	b := kernel.NewBody()
	n.ins = nil
	for i := range n.outs {
		o := &n.outs[i]
		second := *o.reduce
		n.ins = append(n.ins, f.partials[i])
		o.value = b.Load(i, second.Type)
		second.Value = o.value
		o.reduce = &second
	}
	n.extents = append(slices.Clone(n.extents[:n.par]), f.count)
	n.body = b.Body()
}
