package kerneltest

import (
	"math/rand/v2"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// Options says what Random may use.
type Options struct {
	Types []dtype.DType
	Ops   func(op kernel.Op, t dtype.DType) bool
}

// generator makes one random nest.
type generator struct {
	*rand.Rand
	Options
	n *kernel.Nest
}

// Random makes a nest of a few loops and stages over the allowed types and
// operations. Kept values, reductions, broadcasts, transposes and negative
// strides all occur.
func Random(r *rand.Rand, o Options) *kernel.Nest {
	g := &generator{Rand: r, Options: o, n: &kernel.Nest{Name: "random"}}
	for range r.IntN(4) {
		g.n.Outer = append(g.n.Outer, g.extent())
	}
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(2) {
			g.n.Inner = append(g.n.Inner, g.extent())
		}
	}
	t := o.Types[r.IntN(len(o.Types))]
	for range 1 + r.IntN(3) {
		g.input(o.Types[r.IntN(len(o.Types))])
	}
	g.input(t)
	if len(g.n.Inner) == 0 {
		g.pointwise()
	} else {
		g.row()
	}
	return g.n
}

func (g *generator) extent() int {
	switch g.IntN(6) {
	case 0:
		return 1
	case 1:
		return 17 + g.IntN(40)
	case 2:
		return 2 + g.IntN(3)
	}
	return 1 + g.IntN(20)
}

// layout gives strides to the loops: a random order, a random sign, some zero.
func (g *generator) layout(extents []int, broadcast bool) (strides []int, offset, length int) {
	strides = make([]int, len(extents))
	order := g.Perm(len(extents))
	if g.IntN(2) == 0 {
		for i := range order {
			order[i] = len(extents) - 1 - i
		}
	}
	length = 1
	if g.IntN(4) == 0 {
		length = 2
	}
	last := 0
	for _, l := range order {
		if broadcast && g.IntN(5) == 0 {
			continue
		}
		strides[l] = length
		last += length * (extents[l] - 1)
		if g.IntN(8) == 0 {
			strides[l] = -length
			offset += length * (extents[l] - 1)
		}
		length *= extents[l]
	}
	pad := g.IntN(3)
	return strides, offset + pad, last + 1 + pad
}

func (g *generator) input(t dtype.DType) {
	all := append(append([]int(nil), g.n.Outer...), g.n.Inner...)
	s, off, n := g.layout(all, true)
	k := len(g.n.Outer)
	g.n.Access = append(g.n.Access, kernel.Access{Port: kernel.Port{DType: t, Len: n}, Offset: off,
		Outer: s[:k:k], Inner: s[k:]})
}

// output adds a port that is written at every outer (and inner) point.
func (g *generator) output(t dtype.DType, inner bool) int {
	all := append([]int(nil), g.n.Outer...)
	if inner {
		all = append(all, g.n.Inner...)
	}
	s, off, n := g.layout(all, false)
	s = append(s, make([]int, len(g.n.Outer)+len(g.n.Inner)-len(all))...)
	k := len(g.n.Outer)
	g.n.Access = append(g.n.Access, kernel.Access{Port: kernel.Port{DType: t, Len: n, Write: true},
		Offset: off, Outer: s[:k:k], Inner: s[k:]})
	return len(g.n.Access) - 1
}

// work writes random instructions and returns a value of a random type.
func (g *generator) work(b *kernel.Builder, leaves []int) int {
	values := append([]int(nil), leaves...)
	for p, a := range g.n.Access {
		if !a.Write {
			values = append(values, b.Load(p, a.DType))
		}
	}
	if loops := len(g.n.Outer) + len(g.n.Inner); loops > 0 && g.IntN(3) == 0 {
		i := b.Index(g.IntN(loops))
		values = append(values, b.Cast(g.Types[g.IntN(len(g.Types))], i))
	}
	ops := kernel.Ops()
	for range 2 + g.IntN(12) {
		op := ops[g.IntN(len(ops))]
		x := values[g.IntN(len(values))]
		t := b.Type(x)
		if op < kernel.Add || op >= kernel.Store || !op.Takes(t) || !g.Ops(op, t) {
			continue
		}
		y, z := g.like(b, values, t), g.like(b, values, t)
		switch {
		case op == kernel.Cast:
			x = b.Cast(g.Types[g.IntN(len(g.Types))], x)
		case op == kernel.Bitcast:
			continue
		case op == kernel.Select:
			x = b.Select(b.Binary(kernel.Lt, x, y), y, z)
		case op.Arity() == 1:
			x = b.Unary(op, x)
		case op.Arity() == 2:
			x = b.Binary(op, x, y)
		default:
			x = b.FMA(x, y, z)
		}
		values = append(values, x)
	}
	return values[len(values)-1]
}

// like finds or makes a value of type t.
func (g *generator) like(b *kernel.Builder, values []int, t dtype.DType) int {
	for range 4 {
		if v := values[g.IntN(len(values))]; b.Type(v) == t {
			return v
		}
	}
	return b.Const(t, float64(g.IntN(7)-3))
}

func (g *generator) pointwise() {
	b := kernel.NewBody()
	v := g.work(b, nil)
	b.Store(g.output(b.Type(v), true), v)
	if g.IntN(3) == 0 {
		w := g.work(b, []int{v})
		b.Store(g.output(b.Type(w), true), w)
	}
	g.n.Stages = []kernel.Stage{{Body: b.Body()}}
}

func (g *generator) row() {
	b := kernel.NewBody()
	v := g.work(b, nil)
	t := b.Type(v)
	s := kernel.Stage{Keep: []int{v}, Reduce: []kernel.Reduction{g.reduction(b, v)}}
	s.Body = b.Body()
	result := s.Reduce[0].Result()
	g.n.Stages = append(g.n.Stages, s)
	once := kernel.NewBody()
	a := once.Acc(0, 0, result)
	once.Store(g.output(result, false), a)
	g.n.Stages = append(g.n.Stages, kernel.Stage{Once: true, Body: once.Body(), Keep: []int{a}})
	if g.IntN(2) == 0 {
		last := kernel.NewBody()
		k := last.Kept(0, 0, t)
		m := last.Kept(1, 0, result)
		last.Store(g.output(t, true), k)
		last.Store(g.output(result, true), m)
		g.n.Stages = append(g.n.Stages, kernel.Stage{Body: last.Body()})
	}
}

func (g *generator) reduction(b *kernel.Builder, v int) kernel.Reduction {
	t := b.Type(v)
	kinds := []kernel.ReduceKind{kernel.ReduceSum, kernel.ReduceMin, kernel.ReduceMax,
		kernel.ReduceMinNum, kernel.ReduceMaxNum, kernel.ReduceArgMax, kernel.ReduceArgMin}
	if !t.IsFloat() {
		kinds = append(kinds, kernel.ReduceAnd, kernel.ReduceOr, kernel.ReduceXor, kernel.ReduceProd)
	}
	r := kernel.Reduction{Kind: kinds[g.IntN(len(kinds))], Value: v, Type: t,
		Init: kernel.Bits(t, float64(g.IntN(3)))}
	if r.Kind.IsArg() {
		r.Arg = b.Index(len(g.n.Outer) + g.IntN(len(g.n.Inner)))
	}
	return r
}
