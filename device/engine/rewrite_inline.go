package engine

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// inline computes cheap pointwise values where they are read instead of storing
// them, where fusion does not help: values made of indices alone, such as masks,
// and conversions and scalings of which the reader needs only a part.
func (g *graph) inline() {
	changed := false
	for _, n := range g.nodes {
		if n.kind == nodePointwise || n.kind == nodeReduce {
			changed = n.inlineAll() || changed
		}
	}
	if changed {
		g.live()
	}
}

// narrow moves conversions of the operands of products into the products.
func (g *graph) narrow() {
	changed := false
	for _, n := range g.nodes {
		if n.kind == nodeContract {
			changed = n.convertOperands() || changed
		}
	}
	if changed {
		g.live()
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
func (p *node) cheap(n *node) bool {
	if p.kind != nodePointwise || len(p.outs) != 1 || p.outs[0].box != nil || p.gathersAny() {
		return false
	}
	cost, loads := 0, 0
	for _, i := range p.body {
		cost += opCost(i.Op)
		if i.Op == kernel.Load {
			loads++
		}
	}
	if loads == 0 {
		return cost <= 4*maxInlined
	}
	return cost <= maxInlined && loads <= 2 && n.points() < p.points()
}

// inlineAll inlines what can be into a pointwise node or reduction.
func (n *node) inlineAll() bool {
	changed := false
	for again := true; again && len(n.body) < maxGrown; {
		again = false
		for i, a := range n.ins {
			p := a.t.producer()
			if p == nil || n.gathers(i) || !p.cheap(n) {
				continue
			}
			if m, ok := compose(n.extents, a, p); ok {
				n.splice(i, p, m)
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

// compose expresses the loops of p by those of a reader that reads p's result
// through a. The strides of the access are taken apart into steps along the
// loops of p; it reports false if some step would carry from one to another.
func compose(extents []int, a access, p *node) ([]affineIndex, bool) {
	m := make([]affineIndex, len(p.extents))
	limits := make([]int, len(p.extents))
	order := descending(p.outs[0].strides)
	if p.outs[0].offset != 0 {
		return nil, false
	}
	steps := func(stride int) ([]int, bool) { // per loop of p
		out := make([]int, len(p.extents))
		sign := 1
		if stride < 0 {
			sign, stride = -1, -stride
		}
		for _, l := range order {
			if s := p.outs[0].strides[l]; s > 0 {
				out[l] = sign * (stride / s)
				stride %= s
			}
		}
		return out, stride == 0
	}
	low := a.offset // of the point with the smallest offset
	for l, s := range a.strides {
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
	for l, s := range a.strides {
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
		if top >= p.extents[d] {
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
func through(a access, m []affineIndex, loops int) access {
	out := access{t: a.t, as: a.as, offset: a.offset, strides: make([]int, loops)}
	for d, s := range a.strides {
		out.offset += s * m[d].constant
		for l, c := range m[d].coeffs {
			out.strides[l] += s * c
		}
	}
	return out
}

// splice replaces the loads of input i by the body of p.
func (n *node) splice(i int, p *node, m []affineIndex) {
	b := kernel.NewBody()
	s := &structured{node: n, ports: map[portKey]int{}, scalars: &scalars{b: b}}
	old := n.ins
	n.ins = nil
	values := make([]int, len(n.body))
	inlined := -1
	for k, x := range n.body {
		switch {
		case x.Op == kernel.Load && x.Port == i:
			if inlined < 0 {
				inlined = s.copyBody(p, m)
			}
			values[k] = inlined
		case x.Op == kernel.Load || x.Op == kernel.LoadAt:
			x.Port = s.port(old[x.Port])
			values[k] = b.Emit(x.Renumbered(values))
		default:
			values[k] = b.Emit(x.Renumbered(values))
		}
	}
	for o := range n.outs {
		out := &n.outs[o]
		out.value = values[out.value]
	}
	n.body = b.Body()
}

// copyBody writes the body of p at the reader's point and returns its result.
func (s *structured) copyBody(p *node, m []affineIndex) int {
	b := s.scalars.b
	values := make([]int, len(p.body))
	for k, x := range p.body {
		switch x.Op {
		case kernel.Load:
			a := through(p.ins[x.Port], m, len(s.node.extents))
			values[k] = b.Load(s.port(a), x.Type)
		case kernel.Index:
			values[k] = m[x.Port].value(b)
		default:
			values[k] = b.Emit(x.Renumbered(values))
		}
	}
	return values[p.outs[0].value]
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
func (n *node) convertOperands() bool {
	changed := false
	for i := range n.ins {
		a := n.ins[i]
		p := a.t.producer()
		if p == nil || p.kind != nodePointwise || len(p.ins) != 1 || len(p.outs) != 1 ||
			p.outs[0].box != nil {
			continue
		}
		as, ok := p.conversion(n.acc)
		if !ok || a.as != 0 && a.as != a.t.dtype {
			continue
		}
		if m, ok := compose(n.extents, a, p); ok {
			n.ins[i] = through(p.ins[0], m, len(n.extents))
			n.ins[i].as = as
			changed = true
		}
	}
	return changed
}

// conversion matches a node that converts a tensor to a type that holds all its
// values, and returns the type as which it reads it.
func (n *node) conversion(acc dtype.DType) (dtype.DType, bool) {
	i := &n.body[n.outs[0].value]
	if i.Op != kernel.Cast {
		return dtype.Invalid, false
	}
	as := n.body[i.A].Type
	_, ok := n.factor(n.outs[0].value, i.Type)
	return as, ok && exactIn(i.Type, as) && as.IsFloat() == acc.IsFloat()
}
