package rewrite

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// inline computes cheap pointwise values where they are read instead of storing
// them, where fusion does not help: values made of indices alone, such as masks,
// and conversions and scalings if the reader needs only a part of the values.
func (r *rewriter) inline() {
	changed := false
	for _, n := range r.Nodes {
		if n.Kind == graph.Pointwise || n.Kind == graph.Reduce {
			changed = inlineAll(n) || changed
		}
	}
	if changed {
		r.Live()
	}
}

// narrow moves conversions of the operands of products into the products.
func (r *rewriter) narrow() {
	changed := false
	for _, n := range r.Nodes {
		if n.Kind == graph.Contract {
			changed = convertOperands(n) || changed
		}
	}
	if changed {
		r.Live()
	}
}

// maxInlined bounds the cost of what is computed again, in additions, and
// maxGrown the body that results.
const (
	maxInlined = 6
	maxGrown   = 200
)

// cheap reports whether computing the node at a point costs little more than
// loading its result, which n reads.
func cheap(p *graph.Node, n *graph.Node) bool {
	if p.Kind != graph.Pointwise || len(p.Outs) != 1 || p.Outs[0].Box != nil || p.GathersAny() {
		return false
	}
	cost, loads := 0, 0
	for _, i := range p.Body {
		cost += i.Op.Cost()
		if i.Op == kernel.Load {
			loads++
		}
	}
	if loads == 0 {
		return cost <= 4*maxInlined
	}
	return cost <= maxInlined && loads <= 2 && n.Points() < p.Points()
}

// inlineAll inlines what can be into a pointwise node or reduction.
func inlineAll(n *graph.Node) bool {
	changed := false
	for again := true; again && len(n.Body) < maxGrown; {
		again = false
		for i, a := range n.Ins {
			p := a.Tensor.Producer()
			if p == nil || n.Gathers(i) || !cheap(p, n) {
				continue
			}
			if m, ok := compose(n.Extents, a, p); ok {
				splice(n, i, p, m)
				changed, again = true, true
				break
			}
		}
	}
	return changed
}

// affineIndex is a loop of a producer as a linear function of a reader's loops.
type affineIndex struct {
	constant int
	coeffs   []int
}

// compose expresses the loops of p by the loops of a reader that reads p's result through a. The strides of the access
// are taken apart into steps along the loops of p; it reports false if some step would carry from one to another.
func compose(extents []int, a graph.Access, p *graph.Node) ([]affineIndex, bool) {
	m := make([]affineIndex, len(p.Extents))
	limits := make([]int, len(p.Extents))
	order := descending(p.Outs[0].Strides)
	if p.Outs[0].Offset != 0 {
		return nil, false
	}
	steps := func(stride int) ([]int, bool) { // per loop of p
		out := make([]int, len(p.Extents))
		sign := 1
		if stride < 0 {
			sign, stride = -1, -stride
		}
		for _, l := range order {
			if s := p.Outs[0].Strides[l]; s > 0 {
				out[l] = sign * (stride / s)
				stride %= s
			}
		}
		return out, stride == 0
	}
	low := a.Offset // of the point with the smallest offset
	for l, s := range a.Strides {
		low += min(s*(extents[l]-1), 0)
	}
	base, ok := steps(low)
	if !ok || low < 0 {
		return nil, false
	}
	for d := range m {
		m[d] = affineIndex{base[d], make([]int, len(extents))}
		limits[d] = base[d]
	}
	for l, s := range a.Strides {
		step, ok := steps(s)
		if !ok {
			return nil, false
		}
		for d, k := range step {
			m[d].coeffs[l] = k
			if k < 0 {
				m[d].constant -= k * (extents[l] - 1)
				k = -k
			}
			limits[d] += k * (extents[l] - 1)
		}
	}
	for d, top := range limits {
		if top >= p.Extents[d] {
			return nil, false
		}
	}
	return m, true
}

// descending lists the loops by falling strides.
func descending(strides []int) []int {
	order := make([]int, len(strides))
	for i := range order {
		order[i] = i
	}
	for i := 1; i < len(order); i++ {
		for k := i; k > 0 && strides[order[k]] > strides[order[k-1]]; k-- {
			order[k], order[k-1] = order[k-1], order[k]
		}
	}
	return order
}

// through is an access of p as one of the reader.
func through(a graph.Access, m []affineIndex, loops int) graph.Access {
	out := graph.Access{Tensor: a.Tensor, As: a.As, Offset: a.Offset, Strides: make([]int, loops)}
	for d, s := range a.Strides {
		out.Offset += s * m[d].constant
		for l, c := range m[d].coeffs {
			out.Strides[l] += s * c
		}
	}
	return out
}

// splice replaces the loads of input i by the body of p.
func splice(n *graph.Node, i int, p *graph.Node, m []affineIndex) {
	b := kernel.NewBody()
	ins := &graph.Inputs{Node: n}
	old := n.Ins
	n.Ins = nil
	values := make([]int, len(n.Body))
	inlined := -1
	for k, x := range n.Body {
		switch {
		case x.Op == kernel.Load && x.Port == i:
			if inlined < 0 {
				inlined = bodyAt(b, ins, p, m)
			}
			values[k] = inlined
		case x.Op == kernel.Load || x.Op == kernel.LoadAt:
			x.Port = ins.Port(old[x.Port])
			values[k] = b.Emit(x.Renumbered(values))
		default:
			values[k] = b.Emit(x.Renumbered(values))
		}
	}
	for o := range n.Outs {
		out := &n.Outs[o]
		out.Value = values[out.Value]
	}
	n.Body = b.Body()
}

// bodyAt writes the body of p at the point of its reader, whose inputs it extends, and returns its result.
func bodyAt(b *kernel.Builder, ins *graph.Inputs, p *graph.Node, m []affineIndex) int {
	values := make([]int, len(p.Body))
	for k, x := range p.Body {
		switch x.Op {
		case kernel.Load:
			a := through(p.Ins[x.Port], m, len(ins.Node.Extents))
			values[k] = b.Load(ins.Port(a), x.Type)
		case kernel.Index:
			values[k] = m[x.Port].value(b)
		default:
			values[k] = b.Emit(x.Renumbered(values))
		}
	}
	return values[p.Outs[0].Value]
}

// value computes the index.
func (i affineIndex) value(b *kernel.Builder) int {
	sum := -1
	for l, c := range i.coeffs {
		if c == 0 {
			continue
		}
		term := b.Binary(kernel.Mul, b.Index(l), b.ConstBits(dtype.I64, uint64(c)))
		if sum >= 0 {
			term = b.Binary(kernel.Add, sum, term)
		}
		sum = term
	}
	if sum < 0 {
		return b.ConstBits(dtype.I64, uint64(i.constant))
	}
	return b.Binary(kernel.Add, sum, b.ConstBits(dtype.I64, uint64(i.constant)))
}

// convertOperands lets a product read what a conversion reads.
func convertOperands(n *graph.Node) bool {
	changed := false
	for i := range n.Ins {
		a := n.Ins[i]
		p := a.Tensor.Producer()
		if p == nil || p.Kind != graph.Pointwise || len(p.Ins) != 1 || len(p.Outs) != 1 ||
			p.Outs[0].Box != nil {
			continue
		}
		as, ok := conversion(p, n.Acc)
		if !ok || a.As != 0 && a.As != a.Tensor.DType {
			continue
		}
		if m, ok := compose(n.Extents, a, p); ok {
			n.Ins[i] = through(p.Ins[0], m, len(n.Extents))
			n.Ins[i].As = as
			changed = true
		}
	}
	return changed
}

// conversion matches a node that converts a tensor to a type that holds all values of the tensor, and returns the
// tensor's own type.
func conversion(n *graph.Node, acc dtype.DType) (dtype.DType, bool) {
	i := &n.Body[n.Outs[0].Value]
	if i.Op != kernel.Cast {
		return dtype.Invalid, false
	}
	as := n.Body[i.A].Type
	_, ok := n.Factor(n.Outs[0].Value, i.Type)
	return as, ok && graph.ExactIn(i.Type, as) && as.IsFloat() == acc.IsFloat()
}
