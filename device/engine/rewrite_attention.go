package engine

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// attention replaces softmax(scale·Q·Kᵀ + mask)·V by one node, so that the scores
// are never stored. The second product stays where it is in the program and
// becomes the attention; what only it needed is dropped.
func (g *graph) attention(opts *Options) {
	var weights []*tensor
	for _, n := range g.nodes {
		if n.kind == nodeContract {
			weights = append(weights, n.ins[0].t)
		}
	}
	reader := g.soleReaders(weights)
	found := false
	for _, n := range slices.Clone(g.nodes) {
		if n.kind == nodeContract && reader[n.ins[0].t] != nil {
			found = g.attend(n, opts) || found
		}
	}
	if found {
		g.live()
	}
}

// softmax matches exp(x - max x) / Σ exp(x - max x) and returns x. The softmax is safe if the maximum is at least the
// lowest finite number and the sum at least 1, so that rows of -Inf give 0.
func (x expression) softmax() (scores expression, safe, ok bool) {
	if x.instr().Op != kernel.Div {
		return x, false, false
	}
	e, sum := x.a(), x.b()
	sum, safe = sum.atLeast(1)
	if s, ok := sum.folded(kernel.ReduceSum); !ok || !s.same(e) || e.instr().Op != kernel.Exp {
		return x, false, false
	}
	d := e.a()
	if d.instr().Op != kernel.Sub {
		return x, false, false
	}
	scores, most := d.a(), d.b()
	most, bounded := most.atLeast(lowest(d.instr().Type))
	m, ok := most.folded(kernel.ReduceMax)
	return scores, safe, ok && bounded == safe && m.same(scores)
}

// atLeast matches the maximum of an expression and a number, and returns the expression.
func (x expression) atLeast(low float64) (expression, bool) {
	if x.instr().Op != kernel.Max {
		return x, false
	}
	rest, c := x.a(), x.b()
	if rest.instr().Op == kernel.Const {
		rest, c = c, rest
	}
	if i := c.instr(); i.Op == kernel.Const && kernel.Value(i.Type, i.Imm) == low {
		return rest, true
	}
	return x, false
}

// lowest is the least finite number of a type that softmax computes in.
func lowest(d dtype.DType) float64 {
	if d == dtype.F64 {
		return -math.MaxFloat64
	}
	return -math.MaxFloat32
}

// scores is what stands between the product and the softmax.
type scores struct {
	scale    float64
	mask     *expression // a load
	bool     bool        // the mask selects; what it does not select becomes hidden
	inverted bool        // what the mask selects becomes hidden
	hidden   float64
}

// peel matches scale·product + mask and returns the load of the product.
func (s *scores) peel(x expression) (expression, bool) {
	s.scale = 1
	for {
		i := x.instr()
		var ok bool
		switch i.Op {
		case kernel.Load:
			return x, x.isProduct()
		case kernel.Mul, kernel.Div:
			x, ok = s.scaled(x)
		case kernel.Add:
			x, ok = s.added(x)
		case kernel.Select:
			x, ok = s.selected(x)
		}
		if !ok {
			return x, false
		}
	}
}

// isProduct reports whether x is a load of a product's result.
func (x expression) isProduct() bool {
	if x.instr().Op != kernel.Load {
		return false
	}
	p := x.access().t.producer()
	return p != nil && p.kind == nodeContract
}

func (s *scores) scaled(x expression) (expression, bool) {
	rest, c := x.a(), x.b()
	if x.instr().Op == kernel.Mul && rest.instr().Op == kernel.Const {
		rest, c = c, rest
	}
	if c.instr().Op != kernel.Const {
		return x, false
	}
	v := kernel.Value(c.instr().Type, c.instr().Imm)
	if x.instr().Op == kernel.Div {
		v = 1 / v
	}
	s.scale *= v
	return rest, true
}

func (s *scores) added(x expression) (expression, bool) {
	isMask := func(m expression) bool {
		return m.instr().Op == kernel.Load && m.instr().Type.IsFloat() && !m.isProduct()
	}
	rest, m := x.a(), x.b()
	if !isMask(m) {
		rest, m = m, rest
	}
	if s.mask != nil || s.scale != 1 || !isMask(m) {
		return x, false
	}
	s.mask = &m
	return rest, true
}

func (s *scores) selected(x expression) (expression, bool) {
	cond, rest, c := x.a(), x.b(), x.c()
	if rest.instr().Op == kernel.Const {
		rest, c, s.inverted = c, rest, true
	}
	if s.mask != nil || s.scale != 1 || cond.instr().Op != kernel.Load || c.instr().Op != kernel.Const {
		return x, false
	}
	s.mask, s.bool, s.hidden = &cond, true, kernel.Value(c.instr().Type, c.instr().Imm)
	return rest, true
}

// attend turns a product whose left operand is a softmax of scores into an
// attention, if everything about it matches.
func (g *graph) attend(n *node, opts *Options) bool {
	d := n.ins[0].t.producer()
	if d == nil || d.kind != nodePointwise || len(d.outs) != 1 || len(d.extents) == 0 ||
		d.outs[0].strides[len(d.extents)-1] != 1 {
		return false
	}
	x, safe, ok := expression{d, d.outs[0].value}.follow().softmax()
	if !ok {
		return false
	}
	var s scores
	load, ok := s.peel(x)
	if !ok || load.access().offset != 0 || !slices.Equal(load.access().strides, d.outs[0].strides) {
		return false
	}
	q := load.access().t.producer()
	a := &matching{product: q, n: n, scores: load, s: &s, safe: safe, out: d.outs[0].access,
		known:  func(t *tensor) *buf.Buffer { return g.known(t, opts) },
		invert: func(t *tensor) *tensor { return g.inverted(n, t) }}
	return a.build()
}

// inverted returns a tensor with the negation of every element of a bool tensor,
// computed before node n.
func (g *graph) inverted(n *node, t *tensor) *tensor {
	b := kernel.NewBody()
	value := b.Unary(kernel.Not, b.Load(0, dtype.Bool))
	out := &tensor{dtype: dtype.Bool, size: t.size}
	not := &node{op: n.op, extents: []int{t.size}, par: 1, body: b.Body(),
		ins:  []access{{t: t, strides: []int{1}}},
		outs: []output{{access: access{t: out, strides: []int{1}}, value: value}}}
	out.writers = []*node{not}
	g.nodes = slices.Insert(g.nodes, slices.Index(g.nodes, n), not)
	return out
}
