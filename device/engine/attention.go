package engine

import (
	"slices"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/tensor/buf"
)

// attention replaces softmax(scale·Q·Kᵀ + mask)·V by one node, so that the scores
// are never stored. The second product stays where it is in the program and
// becomes the attention; what only it needed is dropped.
func (g *graph) attention(opts *Options) {
	readers := map[*tensor]int{}
	for _, n := range g.nodes {
		for _, a := range n.ins {
			readers[a.t]++
		}
	}
	for _, r := range g.results {
		readers[r.t]++
	}
	found := false
	for _, n := range g.nodes {
		if n.kind == nodeContract && readers[n.ins[0].t] == 1 {
			found = g.attend(n, opts) || found
		}
	}
	if found {
		g.live()
	}
}

// softmax matches exp(x - max x) / Σ exp(x - max x) and returns x.
func (x expression) softmax() (expression, bool) {
	if x.instr().Op != kernel.Div {
		return x, false
	}
	e := x.a()
	if s, ok := x.b().folded(kernel.ReduceSum); !ok || !s.same(e) || e.instr().Op != kernel.Exp {
		return x, false
	}
	d := e.a()
	if d.instr().Op != kernel.Sub {
		return x, false
	}
	scores := d.a()
	m, ok := d.b().folded(kernel.ReduceMax)
	if !ok || !m.same(scores) {
		return x, false
	}
	return scores, true
}

// scores is what stands between the product and the softmax.
type scores struct {
	scale  float64
	mask   *expression // a load
	bool   bool        // the mask selects; what it does not select becomes hidden
	hidden float64
}

// peel matches scale·product + mask and returns the load of the product.
func (s *scores) peel(x expression) (expression, bool) {
	s.scale = 1
	for {
		i := x.instr()
		switch i.Op {
		case kernel.Load:
			p := x.access().t.producer()
			return x, p != nil && p.kind == nodeContract
		case kernel.Mul, kernel.Div:
			c := x.b().instr()
			if c.Op != kernel.Const {
				return x, false
			}
			v := kernel.Value(c.Type, c.Imm)
			if i.Op == kernel.Div {
				v = 1 / v
			}
			s.scale *= v
			x = x.a()
		case kernel.Add:
			m := x.b()
			if s.mask != nil || s.scale != 1 || m.instr().Op != kernel.Load || !m.instr().Type.IsFloat() {
				return x, false
			}
			s.mask = &m
			x = x.a()
		case kernel.Select:
			cond, hidden := x.a(), x.c().instr()
			if s.mask != nil || s.scale != 1 || cond.instr().Op != kernel.Load || hidden.Op != kernel.Const {
				return x, false
			}
			s.mask, s.bool, s.hidden = &cond, true, kernel.Value(hidden.Type, hidden.Imm)
			x = x.b()
		default:
			return x, false
		}
	}
}

// attend turns a product whose left operand is a softmax of scores into an
// attention, if everything about it matches.
func (g *graph) attend(n *node, opts *Options) bool {
	d := n.ins[0].t.producer()
	if d == nil || d.kind != nodePointwise || len(d.outs) != 1 || len(d.extents) == 0 ||
		d.outs[0].strides[len(d.extents)-1] != 1 {
		return false
	}
	x, ok := expression{d, d.outs[0].value}.follow().softmax()
	if !ok {
		return false
	}
	var s scores
	load, ok := s.peel(x)
	if !ok || load.access().offset != 0 || !slices.Equal(load.access().strides, d.outs[0].strides) {
		return false
	}
	q := load.access().t.producer()
	a := &matching{product: q, n: n, scores: load, s: &s, out: d.outs[0].access,
		known: func(t *tensor) *buf.Buffer { return g.known(t, opts) }}
	return a.build()
}
