package nest

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// Division of f32 by what a loop does not change: x·h + x·l, where h is the reciprocal rounded towards zero and l is
// the rest, with the same sign and never zero, so that infinities come out right. The result is the rounded quotient
// but for ties that are decided by digits beyond the 47th, and for the last bit of quotients below 2⁻¹⁰⁰. This holds
// for divisors from 2⁻¹⁰⁰ to 2¹⁰⁰: others are multiplied by a power of two first, as x is.
const (
	safeLow  = 0x1p-100
	safeHigh = 0x1p100
	rescale  = 0x1p64
)

// fewTurns is how many turns of a loop take no longer with divisions than what the reciprocal takes.
const fewTurns = 4

// dividesOften reports whether a value is a divisor that the innermost loop does not change, in enough turns.
func (l *lowering) dividesOften(n int) bool {
	if l.backend == nil || l.backend.Fixed() || l.Nest.Stages[l.number].Once {
		return false
	}
	if l.body[n].Op == kernel.Const {
		return true
	}
	turns := l.Nest.Extent(l.Lane) / l.Lanes
	if l.LaneOuter && len(l.Seq) > 0 {
		turns = l.Nest.Extent(l.Seq[len(l.Seq)-1])
	}
	return turns > fewTurns && l.unchanged(n)
}

// unchanged reports whether a value is the same in all turns of the loops of a stage.
func (l *lowering) unchanged(n int) bool {
	switch i := &l.body[n]; i.Op {
	case kernel.Const:
		return true
	case kernel.Load:
		return l.ports[i.Port].still && l.Invariant(i.Port)
	case kernel.Acc:
		return true
	case kernel.Kept:
		return l.kept(i.Port, int(i.Imm)).port == nil
	case kernel.LoadAt, kernel.Index, kernel.Input:
		return false
	default:
		return !slices.ContainsFunc(i.Operands(), func(v int) bool { return !l.unchanged(v) })
	}
}

// reciprocal makes quotients by a number: x·scale·high + x·scale·low.
type reciprocal struct {
	scale     vector.Val // no value if it is 1
	high, low vector.Val
}

// divisor is a value of a body, for one of its copies.
type divisor struct {
	body  *kernel.Instr
	value int
	index int // see [generator.leftIndex]
}

// reciprocals writes the reciprocals of what the body of a stage divides by, at a place in front of the loops that do
// not change it.
func (g *generator) reciprocals(at *place, number, copies int) {
	body := g.Nest.Stages[number].Body
	for n := range body {
		for copy := range copies {
			l := &lowering{generator: g, at: at, copy: copy, number: number, body: body}
			if i := &body[n]; l.isQuotient(i) && body[i.B].Op != kernel.Const {
				if g.inverse == nil {
					g.inverse = map[divisor]reciprocal{}
				}
				l.vals = make([]vector.Val, len(body))
				g.inverse[divisor{&body[0], i.B, g.leftIndex(l)}] = l.reciprocal(l.evaluate(i.B), l.sumsExponentials(&body[i.B]))
			}
		}
	}
}

// over is x/y, where y is value n, which a loop does not change.
func (l *lowering) over(x vector.Val, n int) vector.Val {
	if i := &l.body[n]; i.Op == kernel.Const {
		return l.overConstant(x, float32(kernel.Value(i.Type, i.Imm)))
	}
	index := l.leftIndex(l)
	if len(l.Nest.Inner) == 0 {
		index = 0
	}
	r := l.inverse[divisor{&l.body[0], n, index}]
	if r.scale.Kind != vector.None {
		x = l.b.Op(vector.Mul, x, r.scale)
	}
	return l.b.Op(vector.MulAdd, x, r.high, l.b.Op(vector.Mul, x, r.low))
}

// sumsExponentials reports whether a value is the sum of a softmax, which is 0 or at least 2⁻¹²⁶, and at most as large
// as a row is long.
func (l *lowering) sumsExponentials(i *kernel.Instr) bool {
	if i.Op != kernel.Acc {
		return false
	}
	s := &l.Nest.Stages[i.Port]
	r := &s.Reduce[i.Imm]
	v := &s.Body[r.Value]
	return r.Kind == kernel.ReduceSum && r.Type == dtype.F32 && v.Op == kernel.Exp && l.NotPositive(i.Port, v.A)
}

// reciprocal writes the reciprocal of y. Safe says that y is in the range that needs no other factor.
func (l *lowering) reciprocal(y vector.Val, safe bool) reciprocal {
	b := l.b
	float := func(v float64) vector.Val { return b.Float(vector.F32, v) }
	when := func(mask, yes, no vector.Val) vector.Val { return b.Into(vector.Select, vector.F32, 0, mask, yes, no) }
	size := b.Op(vector.Abs, y)
	one, d := float(1), y
	var scale vector.Val
	if !safe {
		scale = when(b.Compare(vector.Less, size, float(safeLow)), float(rescale),
			when(b.Compare(vector.Less, float(safeHigh), size), float(1/rescale), one))
		d = b.Op(vector.Mul, y, scale)
	}
	q := b.Op(vector.Div, one, d)
	// The sign of the remainder of q, in all bits: q is one too large where the remainder is negative.
	large := b.OpImm(vector.ShiftSigned, 31, b.Op(vector.NegMul, q, d, one).As(vector.I32))
	h := b.Op(vector.Add, q.As(vector.I32), large).As(vector.F32)
	low := b.Op(vector.Mul, b.Op(vector.NegMul, h, d, one), q)
	low = b.Op(vector.Or, low.As(vector.I32), b.Bits(vector.I32, 1)).As(vector.F32)
	// Zeros, infinities and NaN have reciprocals that lack nothing.
	number := b.Op(vector.And, b.Compare(vector.Less, size, float(math.Inf(1))), b.Compare(vector.Less, float(0), size))
	return reciprocal{scale, when(number, h, q), when(number, low, q)}
}

// overConstant is x/y for a constant.
func (l *lowering) overConstant(x vector.Val, y float32) vector.Val {
	b := l.b
	float := func(v float64) vector.Val { return b.Float(vector.F32, v) }
	if size := math.Abs(float64(y)); !(size >= safeLow && size <= safeHigh) {
		return b.Op(vector.Div, x, float(float64(y)))
	}
	exact := 1 / float64(y)
	h := float32(exact)
	if float64(h) == exact { // a power of two
		return b.Op(vector.Mul, x, float(exact))
	}
	if math.Abs(float64(h)) > math.Abs(exact) {
		h = math.Nextafter32(h, 0)
	}
	return b.Op(vector.MulAdd, x, float(float64(h)), b.Op(vector.Mul, x, float(exact-float64(h))))
}

// isQuotient reports whether an operation is a quotient that [lowering.over] computes.
func (l *lowering) isQuotient(i *kernel.Instr) bool {
	return i.Op == kernel.Div && i.Type.IsFloat() && i.Type != dtype.F64 && l.dividesOften(i.B)
}
