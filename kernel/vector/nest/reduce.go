package nest

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// Accumulators of a stage stand one behind the other, for each copy of the body: one of each reduction, of a position a
// second for the place, and of an extreme that passes NaNs by a second that notes them.

// two reports whether a reduction has two accumulators.
func (g *generator) two(r *kernel.Reduction) bool { return r.Kind.IsArg() || g.noted(r) }

// noted reports whether a reduction is a minimum or maximum that tells of NaNs at its end: as an instruction for numbers
// is there, a turn waits less for the one before.
func (g *generator) noted(r *kernel.Reduction) bool {
	return r.Type == dtype.F32 && (r.Kind == kernel.ReduceMin || r.Kind == kernel.ReduceMax) && !g.plain[r] &&
		g.b.Has(vector.MaxOrdered, vector.F32, vector.None)
}

// note is the bits of a value without its sign. A reduction that notes NaNs keeps the largest note.
func (g *generator) note(v vector.Val) vector.Val {
	bits := v.As(vector.I32)
	return g.b.Op(vector.Add, bits, bits)
}

// noNote is the note of infinities. The notes of NaNs are larger.
const noNote = 0xff000000

// accumulated returns the reduction of each accumulator of a copy.
func (g *generator) accumulated(s *kernel.Stage) (list []*kernel.Reduction) {
	for i := range s.Reduce {
		r := &s.Reduce[i]
		if list = append(list, r); g.two(r) {
			list = append(list, r)
		}
	}
	return list
}

// width returns the accumulators of one copy.
func (g *generator) width(s *kernel.Stage) int { return len(g.accumulated(s)) }

// accumulators returns the accumulators of a reduction from number n on, and the first number of the next reduction.
func (g *generator) accumulators(r *kernel.Reduction, acc []vector.Val, n int) (p [2]vector.Val, next int) {
	if p[0] = acc[n]; !g.two(r) {
		return p, n + 1
	}
	p[1] = acc[n+1]
	return p, n + 2
}

// isSum reports whether a reduction is a sum of floats.
func isSum(r *kernel.Reduction) bool { return r.Kind == kernel.ReduceSum && r.Type.IsFloat() }

// folded is the type that a reduction folds values in.
func folded(s *kernel.Stage, r *kernel.Reduction) dtype.DType {
	if r.Kind.IsArg() {
		return s.Body[r.Value].Type
	}
	return r.Type
}

// start returns what the accumulators of a number of copies begin with.
func (g *generator) start(s *kernel.Stage, copies int) (acc []vector.Val) {
	for range copies {
		for i := range s.Reduce {
			r := &s.Reduce[i]
			t := folded(s, r)
			if r.Kind.IsArg() && t == dtype.Bool {
				unsupported()
			}
			acc = append(acc, g.identity(r, t))
			switch {
			case r.Kind.IsArg():
				acc = append(acc, g.b.Bits(vector.I64, math.MaxInt64))
			case g.two(r):
				acc = append(acc, g.b.Bits(vector.I32, 0))
			}
		}
	}
	return acc
}

// identity is the value that does not change the result of a reduction.
func (g *generator) identity(r *kernel.Reduction, t dtype.DType) vector.Val {
	l := &lowering{generator: g}
	return l.constant(t, r.Kind.Identity(t))
}

// foldAll folds the values of a body into the accumulators of its copy.
func (g *generator) foldAll(l *lowering, s *kernel.Stage, acc []vector.Val) (out []vector.Val) {
	for i := range s.Reduce {
		r := &s.Reduce[i]
		var v [2]vector.Val
		switch {
		case r.Kind.IsArg():
			v = [2]vector.Val{l.value(r.Value), l.value(r.Arg)}
		case r.Type == dtype.Bool:
			v[0] = l.castMask(s.Body[r.Value].Type, r.Value)
		default:
			if v[0] = l.castTo(r.Type, s.Body[r.Value].Type, r.Value); g.noted(r) {
				v[1] = g.note(v[0])
			}
		}
		a, _ := g.accumulators(r, acc, len(out))
		v[0], v[1] = g.join(s, r, a, v)
		if out = append(out, l.inUse(a[0], v[0])); g.two(r) {
			out = append(out, l.inUse(a[1], v[1]))
		}
	}
	return out
}

// combine is one step of a reduction that is no position.
func (g *generator) combine(r *kernel.Reduction, a, v vector.Val) vector.Val {
	l := &lowering{generator: g}
	switch op := r.Kind.Op(); {
	case g.plain[r] && op == kernel.Max:
		return g.b.Op(vector.MaxAny, v, a)
	case g.plain[r]:
		return g.b.Op(vector.MinAny, v, a)
	case r.Type == dtype.Bool:
		return l.boolean(op, a, v)
	case r.Type.IsFloat():
		return l.float(op, a, v, vector.Val{})
	default:
		return l.integer(op, r.Type, a, v)
	}
}

// join is one step of a reduction: of values, and of places if it gives a position, or of notes.
func (g *generator) join(s *kernel.Stage, r *kernel.Reduction, a, v [2]vector.Val) (value, second vector.Val) {
	b := g.b
	switch {
	case g.noted(r) && r.Kind == kernel.ReduceMin:
		return b.Op(vector.MinOrdered, v[0], a[0]), b.Op(vector.MaxUnsigned, v[1], a[1])
	case g.noted(r):
		return b.Op(vector.MaxOrdered, v[0], a[0]), b.Op(vector.MaxUnsigned, v[1], a[1])
	case !r.Kind.IsArg():
		return g.combine(r, a[0], v[0]), vector.Val{}
	}
	win := b.Compare(vector.Less, a[0], v[0])
	if r.Kind == kernel.ReduceArgMin {
		win = b.Compare(vector.Less, v[0], a[0])
	}
	tie := b.Compare(vector.Equal, v[0], a[0])
	if v[0].Kind.IsFloat() {
		number, other := b.Compare(vector.Equal, a[0], a[0]), b.Compare(vector.Equal, v[0], v[0])
		// A NaN beats every number, and ties with another.
		win = b.Op(vector.Or, win, b.Op(vector.AndNot, number, other))
		tie = b.Op(vector.Or, tie, b.Op(vector.Not, b.Op(vector.Or, number, other)))
	}
	before := b.Compare(vector.Less, v[1], a[1])
	wide := g.maskOf(win, vector.I64)
	wide = b.Op(vector.Or, wide, b.Op(vector.And, g.maskOf(tie, vector.I64), before))
	return b.Into(vector.Select, v[0].Kind, 0, g.maskOf(wide, v[0].Kind), v[0], a[0]),
		b.Into(vector.Select, vector.I64, 0, wide, v[1], a[1])
}

// maskOf is a mask of the width of a kind.
func (g *generator) maskOf(m vector.Val, k vector.Kind) vector.Val {
	m = m.As(m.Kind.Mask())
	switch to := k.Mask(); {
	case m.Kind == to:
		return m
	case to == vector.I64:
		return g.b.Convert(vector.Widen, vector.I64, m)
	default:
		return g.b.Convert(vector.Narrow, vector.I32, m)
	}
}

// finish notes the results of a stage's reductions for a copy whose lanes are outer points.
func (g *generator) finish(number int, acc []vector.Val, copy, copies int) {
	s := &g.Nest.Stages[number]
	n := 0
	for i := range s.Reduce {
		r := &s.Reduce[i]
		var p [2]vector.Val
		p, n = g.accumulators(r, acc, n)
		g.set(g.reduced(number, i), copy, copies, g.result(r, p))
	}
}

// result is the result of a reduction, from its last accumulators. The start value is folded in, unless they begin with
// it.
func (g *generator) result(r *kernel.Reduction, p [2]vector.Val) vector.Val {
	l := &lowering{generator: g}
	v := p[0]
	switch {
	case r.Kind.IsArg():
		return p[1]
	case g.noted(r):
		nan := g.b.Compare(vector.Below, g.b.Bits(vector.I32, noNote), p[1])
		v = g.b.Into(vector.Select, v.Kind, 0, nan, g.b.Float(v.Kind, math.NaN()), v)
	}
	if start := l.constant(r.Type, r.Init); start != g.identity(r, r.Type) {
		v = g.combine(r, start, v)
	}
	return l.rounded(r.Type, v)
}

// finishLanes combines the accumulators of all copies, then the lanes, and puts the results into all lanes.
func (g *generator) finishLanes(number, row int, acc []vector.Val) {
	s := &g.Nest.Stages[number]
	b := g.b
	width := g.width(s)
	n := 0
	for i := range s.Reduce {
		r := &s.Reduce[i]
		parts, next := make([][2]vector.Val, len(acc)/width), 0
		for c := range parts {
			parts[c], next = g.accumulators(r, acc[c*width:], n)
		}
		n = next
		for len(parts) > 1 {
			half := len(parts) / 2
			for c := range half {
				v, p := g.join(s, r, parts[c], parts[c+half])
				parts[c] = [2]vector.Val{v, p}
			}
			parts = parts[:half]
		}
		p := parts[0]
		for half := g.Lanes / 2; half >= 1; half /= 2 {
			x := [2]vector.Val{g.upper(p[0], half)}
			if g.two(r) {
				x[1] = g.upper(p[1], half)
			}
			p[0], p[1] = g.join(s, r, p, x)
		}
		v := g.result(r, p)
		if !g.endsWith(number) {
			v = b.OpImm(vector.DupLane, 0, v)
		}
		g.set(g.reduced(number, i), row, mostRows, v)
	}
}

// endsWith reports whether all stages behind one are once stages, which need the first lane of its results alone.
func (g *generator) endsWith(number int) bool {
	return !slices.ContainsFunc(g.Nest.Stages[number+1:], func(s kernel.Stage) bool { return !s.Once })
}

// upper moves the lanes from n on to the bottom of a vector whose upper lanes do not matter.
func (g *generator) upper(v vector.Val, n int) vector.Val {
	if n*v.Kind.Size() < 16 {
		return g.b.OpImm(vector.RotateEach, n, v)
	}
	return g.b.OpImm(vector.Rotate, n, v)
}
