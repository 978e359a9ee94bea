package rewrite

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

const (
	// maxParts is how many equal parts a long reduction is split into, at most, if a loop has a
	// divisor for that.
	maxParts = 64
	// partRow is how long the parts are of a row that is longer than callRow.
	partRow = 1 << 16
)

// splitReductions gives long reductions to few results a second level, and a third if need be: parts
// that run in parallel, and a fold of the parts. The result does not depend on the number of threads,
// because the parts do not.
func (r *rewriter) splitReductions() {
	var nodes []*graph.Node
	var add func(n *graph.Node)
	add = func(n *graph.Node) {
		parts := parts(n)
		for _, p := range parts {
			add(p)
		}
		if len(parts) > 0 {
			add(n)
			return
		}
		n.ID = len(nodes)
		nodes = append(nodes, n)
	}
	for _, n := range r.Nodes {
		add(n)
	}
	r.Nodes = nodes
}

// parts turns a long reduction into the fold of its parts, and returns the nodes that compute these, or
// nil if the node stays as it is.
func parts(n *graph.Node) []*graph.Node {
	if n.Kind != graph.Reduce {
		return nil
	}
	results, row := shape.Size(n.Extents[:n.Par]), shape.Size(n.Extents[n.Par:])
	if row <= graph.LongRow || results >= graph.FewRows && row <= graph.CallRow || !splits(n) {
		return nil
	}
	at, count := divisor(n, row)
	if at < 0 { // the longest loop in pieces, the last of which may be shorter
		at = n.Par
		for l := at; l < len(n.Extents); l++ {
			if n.Extents[l] > n.Extents[at] {
				at = l
			}
		}
		count = min((row+partRow-1)/partRow, n.Extents[at])
		if row <= graph.CallRow {
			count = min(graph.FewRows, n.Extents[at])
		}
	}
	size := (n.Extents[at] + count - 1) / count
	full, rest := n.Extents[at]/size, n.Extents[at]%size
	all := full
	if rest > 0 {
		all++
	}
	f := &folded{n: n, at: at, size: size, count: all}
	f.tensors(results)
	nodes := []*graph.Node{f.part(0, full, size)}
	if rest > 0 {
		nodes = append(nodes, f.part(full, 1, rest))
	}
	f.fold()
	return nodes
}

// splits reports whether the reductions of a node may be folded in parts: not sums that would be
// rounded to half precision in between.
func splits(n *graph.Node) bool {
	for _, o := range n.Outs {
		half := o.Reduce.Type == dtype.F16 || o.Reduce.Type == dtype.BF16
		sums := o.Reduce.Kind == kernel.ReduceSum || o.Reduce.Kind == kernel.ReduceProd
		if half && sums {
			return false
		}
	}
	return true
}

// divisor returns the outermost loop that can be cut into a few equal parts, none of them too long, or -1.
func divisor(n *graph.Node, row int) (at, count int) {
	for l := n.Par; l < len(n.Extents); l++ {
		for c := min(maxParts, n.Extents[l]); c >= graph.FewRows; c-- {
			if n.Extents[l]%c == 0 && row/c <= graph.CallRow {
				return l, c
			}
		}
	}
	return -1, 0
}

// folded is a reduction that is being split: loop at is cut into count parts of a size; the last part may be shorter.
type folded struct {
	n        *graph.Node
	at       int
	size     int
	count    int
	partials []graph.Access // of each output: what the parts give, along the loops of the results and the parts
}

// tensors makes the tensors of the partial results.
func (f *folded) tensors(results int) {
	par := f.n.Par
	for i := range f.n.Outs {
		strides := make([]int, par+1)
		next := 1
		for l := par; l >= 0; l-- {
			strides[l] = next
			if l == par {
				next *= f.count
			} else {
				next *= f.n.Extents[l]
			}
		}
		t := &graph.Tensor{DType: f.n.Outs[i].Reduce.Type, Size: results * f.count}
		f.partials = append(f.partials, graph.Access{Tensor: t, Strides: strides})
	}
}

// part returns the node that computes count parts, from part first on, of the given extent.
func (f *folded) part(first, count, extent int) *graph.Node {
	n, at := f.n, f.at
	p := &graph.Node{Kind: graph.Reduce, Op: n.Op, Par: n.Par + 1}
	p.Extents = slices.Insert(slices.Clone(n.Extents), n.Par, count)
	p.Extents[at+1] = extent
	for _, a := range n.Ins {
		s := slices.Insert(slices.Clone(a.Strides), n.Par, a.Strides[at]*f.size)
		p.Ins = append(p.Ins, graph.Access{Tensor: a.Tensor, As: a.As, Offset: a.Offset + first*f.size*a.Strides[at], Strides: s})
	}
	body, values := shiftIndices(n, at, first*f.size, f.size)
	p.Body = body
	for i, o := range n.Outs {
		r := *o.Reduce
		r.Init, r.Value = r.Kind.Identity(r.Type), values[o.Value]
		to := f.partials[i]
		to.Offset = first
		p.Outs = append(p.Outs, graph.Output{Access: to, Value: r.Value, Reduce: &r,
			Box: [][3]int{{first, count, 1}}, Apart: true})
		to.Tensor.Writers = append(to.Tensor.Writers, p)
	}
	return p
}

// shiftIndices is the body of n with the loop of the parts in front of the reduction loops, and with
// the index of loop at counted from first, in steps of size from part to part.
func shiftIndices(n *graph.Node, at, first, size int) (kernel.Body, []int) {
	b := kernel.NewBody()
	values := make([]int, len(n.Body))
	for k, i := range n.Body {
		if i.Op != kernel.Index || i.Port < n.Par {
			values[k] = b.Emit(i.Renumbered(values))
			continue
		}
		values[k] = b.Index(i.Port + 1)
		if i.Port == at {
			step := b.Binary(kernel.Mul, b.Index(n.Par), b.Const(dtype.I64, float64(size)))
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
	n.Ins = nil
	for i := range n.Outs {
		o := &n.Outs[i]
		second := *o.Reduce
		n.Ins = append(n.Ins, f.partials[i])
		o.Value = b.Load(i, second.Type)
		second.Value = o.Value
		o.Reduce = &second
	}
	n.Extents = append(slices.Clone(n.Extents[:n.Par]), f.count)
	n.Body = b.Body()
}
