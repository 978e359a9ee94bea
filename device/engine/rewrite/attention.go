package rewrite

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// attention replaces softmax(scale·Q·Kᵀ + mask)·V, whose scores may be capped, by one node, so that the scores
// are never stored. The second product stays where it is in the program and
// becomes the attention; what only it needed is dropped.
func (r *rewriter) attention() {
	var weights []*graph.Tensor
	for _, n := range r.Nodes {
		if n.Kind == graph.Contract {
			weights = append(weights, n.Ins[0].Tensor)
		}
	}
	reader := r.soleReaders(weights)
	found := false
	for _, n := range slices.Clone(r.Nodes) {
		if n.Kind == graph.Contract && reader[n.Ins[0].Tensor] != nil {
			found = r.attend(n) || found
		}
	}
	if found {
		r.Live()
	}
}

// softmax matches exp(x - max x) / Σ exp(x - max x) and returns x. The softmax is safe if the maximum is at least the
// lowest finite number and the sum at least 1, so that rows of -Inf give 0. With a sink y the maximum is over x and y,
// and exp(y - max) is added to the sum.
func (x expression) softmax() (scores expression, sink *expression, safe, ok bool) {
	if x.instr().Op != kernel.Div {
		return x, nil, false, false
	}
	e, sum := x.a(), x.b()
	sum, safe = sum.atLeast(1)
	var added expression
	if sum.instr().Op == kernel.Add {
		sum, added = sum.a(), sum.b()
		if added.instr().Op != kernel.Exp || added.a().instr().Op != kernel.Sub {
			return x, nil, false, false
		}
		added = added.a()
		y := added.a()
		sink = &y
	}
	if s, ok := sum.folded(kernel.ReduceSum); !ok || !s.same(e) || e.instr().Op != kernel.Exp {
		return x, nil, false, false
	}
	d := e.a()
	if d.instr().Op != kernel.Sub {
		return x, nil, false, false
	}
	scores, most := d.a(), d.b()
	bounded := false
	if sink == nil {
		most, bounded = most.atLeast(lowest(d.instr().Type))
	} else {
		if most.instr().Op != kernel.Max || !most.b().same(*sink) || !most.same(added.b()) || sink.instr().Op != kernel.Load {
			return x, nil, false, false
		}
		most = most.a()
	}
	m, ok := most.folded(kernel.ReduceMax)
	return scores, sink, safe, ok && bounded == safe && m.same(scores)
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

// scores is the operations between the product and the softmax.
type scores struct {
	scale    float64
	cap      float64     // what the tangent keeps scores below; 0 for none
	mask     *expression // a load
	bool     bool        // the mask selects; what it does not select becomes hidden
	inverted bool        // what the mask selects becomes hidden
	hidden   float64
}

// peel matches scale·product + mask, or cap·tanh(scale·product/cap) + mask, and returns the load of the product.
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
		case kernel.Tanh:
			x, ok = s.capped(x)
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
	p := x.access().Tensor.Producer()
	return p != nil && p.Kind == graph.Contract
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

// capped matches scale·tanh(y), which is cap·tanh(cap·y/cap) with scale for the cap.
func (s *scores) capped(x expression) (expression, bool) {
	if s.cap != 0 || !(s.scale > 0) {
		return x, false
	}
	s.cap = s.scale
	return x.a(), true
}

func (s *scores) added(x expression) (expression, bool) {
	isMask := func(m expression) bool {
		return m.instr().Op == kernel.Load && m.instr().Type.IsFloat() && !m.isProduct()
	}
	rest, m := x.a(), x.b()
	if !isMask(m) {
		rest, m = m, rest
	}
	if s.mask != nil || s.scale != 1 || s.cap != 0 || !isMask(m) {
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
	if s.mask != nil || s.scale != 1 || s.cap != 0 || cond.instr().Op != kernel.Load || c.instr().Op != kernel.Const {
		return x, false
	}
	s.mask, s.bool, s.hidden = &cond, true, kernel.Value(c.instr().Type, c.instr().Imm)
	return rest, true
}

// attend turns a product whose left operand is a softmax of scores into an
// attention, if everything about it matches.
func (r *rewriter) attend(n *graph.Node) bool {
	d := n.Ins[0].Tensor.Producer()
	if d == nil || d.Kind != graph.Pointwise || len(d.Outs) != 1 || len(d.Extents) == 0 ||
		d.Outs[0].Strides[len(d.Extents)-1] != 1 {
		return false
	}
	x, sink, safe, ok := expression{d, d.Outs[0].Value}.follow().softmax()
	if !ok {
		return false
	}
	var s scores
	load, ok := s.peel(x)
	if !ok || load.access().Offset != 0 || !slices.Equal(load.access().Strides, d.Outs[0].Strides) {
		return false
	}
	q := load.access().Tensor.Producer()
	a := &matching{product: q, n: n, scores: load, s: &s, sink: sink, safe: safe, out: d.Outs[0].Access,
		known:  r.known,
		invert: func(t *graph.Tensor) *graph.Tensor { return r.inverted(n, t) }}
	return a.build()
}

// inverted returns a tensor with the negation of every element of a bool tensor,
// computed before node n.
func (r *rewriter) inverted(n *graph.Node, t *graph.Tensor) *graph.Tensor {
	b := kernel.NewBody()
	value := b.Unary(kernel.Not, b.Load(0, dtype.Bool))
	out := &graph.Tensor{DType: dtype.Bool, Size: t.Size}
	not := &graph.Node{Op: n.Op, Extents: []int{t.Size}, Par: 1, Body: b.Body(),
		Ins:  []graph.Access{{Tensor: t, Strides: []int{1}}},
		Outs: []graph.Output{{Access: graph.Access{Tensor: out, Strides: []int{1}}, Value: value}}}
	out.Writers = []*graph.Node{not}
	r.Nodes = slices.Insert(r.Nodes, slices.Index(r.Nodes, n), not)
	return out
}
