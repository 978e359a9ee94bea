package nest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
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

// note is what a reduction that notes NaNs has the largest of, for a value: its bits but the sign.
func (g *generator) note(v vector.Val) vector.Val {
	bits := v.As(vector.I32)
	return g.b.Op(vector.Add, bits, bits)
}

// noNote is the note of infinities, which those of NaNs are larger than.
const noNote = 0xff000000

// width returns the accumulators of one copy.
func (g *generator) width(s *kernel.Stage) (n int) {
	for i := range s.Reduce {
		n++
		if g.two(&s.Reduce[i]) {
			n++
		}
	}
	return n
}

// accumulated returns the reduction of an accumulator.
func (g *generator) accumulated(s *kernel.Stage, n int) *kernel.Reduction {
	for i := range s.Reduce {
		r := &s.Reduce[i]
		if n == 0 || n == 1 && g.two(r) {
			return r
		}
		n--
		if g.two(r) {
			n--
		}
	}
	panic("BUG: nest: no such accumulator")
}

// isSum reports whether an accumulator is the sum of floats.
func (g *generator) isSum(s *kernel.Stage, n int) bool {
	r := g.accumulated(s, n)
	return r.Kind == kernel.ReduceSum && r.Type.IsFloat()
}

func (g *generator) anySum(s *kernel.Stage) bool {
	for n := range g.width(s) {
		if g.isSum(s, n) {
			return true
		}
	}
	return false
}

// folded is the type that a reduction folds values in.
func folded(s *kernel.Stage, r *kernel.Reduction) dtype.DType {
	if r.Kind.IsArg() {
		return s.Body[r.Value].Type
	}
	return r.Type
}

// start returns what accumulators of so many copies begin with.
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
	k := kindOf(t)
	b := g.b
	if t == dtype.Bool {
		switch r.Kind {
		case kernel.ReduceProd, kernel.ReduceMin, kernel.ReduceMinNum, kernel.ReduceAnd:
			return b.Bits(k, math.MaxUint32)
		}
		return b.Bits(k, 0)
	}
	switch r.Kind {
	case kernel.ReduceProd:
		if t.IsFloat() {
			return b.Float(k, 1)
		}
		return b.Bits(k, 1)
	case kernel.ReduceMin, kernel.ReduceArgMin:
		return g.extremeOf(k, false)
	case kernel.ReduceMax, kernel.ReduceArgMax:
		return g.extremeOf(k, true)
	case kernel.ReduceMinNum, kernel.ReduceMaxNum:
		if t.IsFloat() {
			return b.Float(k, math.NaN())
		}
		return g.extremeOf(k, r.Kind == kernel.ReduceMaxNum)
	case kernel.ReduceAnd:
		return b.Bits(k, math.MaxUint64)
	}
	return b.Bits(k, 0)
}

// extremeOf is the least value of a kind of numbers with a sign, or the greatest.
func (g *generator) extremeOf(k vector.Kind, least bool) vector.Val {
	kind := kernel.FoldMin
	if least {
		kind = kernel.FoldMax
	}
	return g.b.Bits(k, fold.Of(kind, dtype.F32, false).Identity(k))
}

// foldAll folds the values of a body into the accumulators of its copy.
func (g *generator) foldAll(l *lowering, s *kernel.Stage, acc []vector.Val) (out []vector.Val) {
	n := 0
	for i := range s.Reduce {
		r := &s.Reduce[i]
		if r.Kind.IsArg() {
			v, p := g.join(s, r, [2]vector.Val{acc[n], acc[n+1]}, [2]vector.Val{l.value(r.Value), l.value(r.Arg)})
			out = append(out, l.inUse(acc[n], v), l.inUse(acc[n+1], p))
			n += 2
			continue
		}
		if g.noted(r) {
			value := l.castTo(r.Type, s.Body[r.Value].Type, r.Value)
			v, p := g.join(s, r, [2]vector.Val{acc[n], acc[n+1]}, [2]vector.Val{value, g.note(value)})
			out = append(out, l.inUse(acc[n], v), l.inUse(acc[n+1], p))
			n += 2
			continue
		}
		v := l.castTo(r.Type, s.Body[r.Value].Type, r.Value)
		if r.Type == dtype.Bool {
			v = l.castMask(s.Body[r.Value].Type, r.Value)
		}
		out = append(out, l.inUse(acc[n], g.combine(r, acc[n], v)))
		n++
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
		p := [2]vector.Val{acc[n]}
		if n++; g.two(r) {
			p[1] = acc[n]
			n++
		}
		g.set(g.reduced(number, i), copy, copies, g.result(r, p))
	}
}

// result is what the last accumulators of a reduction come to. The start value is folded in, unless accumulators begin
// with that.
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
		var parts [][2]vector.Val
		for c := range len(acc) / width {
			p := [2]vector.Val{acc[c*width+n]}
			if g.two(r) {
				p[1] = acc[c*width+n+1]
			}
			parts = append(parts, p)
		}
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
		if n++; g.two(r) {
			n++
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
	for _, s := range g.Nest.Stages[number+1:] {
		if !s.Once {
			return false
		}
	}
	return true
}

// upper moves the lanes from n on to the bottom of a vector whose upper lanes do not matter.
func (g *generator) upper(v vector.Val, n int) vector.Val {
	if n*v.Kind.Size() < 16 {
		return g.b.OpImm(vector.RotateEach, n, v)
	}
	return g.b.OpImm(vector.Rotate, n, v)
}
