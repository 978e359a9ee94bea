package nest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// Division of integers for processors that divide floats alone: the quotient of numbers below 2²⁴ in f32, of those
// below 2⁵³ in f64, is wrong by less than its distance from the next integer, so cutting the fraction gives the integer
// quotient.

// divide is a quotient or a remainder; a divisor of 0 gives 0.
func (l *lowering) divide(op kernel.Op, t dtype.DType, x, y vector.Val) vector.Val {
	b := l.b
	zero := b.Bits(x.Kind, 0)
	q, r := l.quotient(t, x, y)
	if op == kernel.FloorDiv || op == kernel.Mod {
		// A remainder of the other sign than the divisor's is one divisor short.
		apart := b.Compare(vector.Less, b.Op(vector.Xor, r, y), zero)
		apart = b.Op(vector.AndNot, apart, b.Compare(vector.Equal, r, zero))
		q, r = b.Op(vector.Add, q, apart), b.Op(vector.Add, r, b.Op(vector.And, y, apart))
	}
	if op == kernel.Div || op == kernel.FloorDiv {
		r = q
	}
	return b.Into(vector.Select, x.Kind, 0, b.Compare(vector.Equal, y, zero), zero, r)
}

// quotient is x/y, truncated, and what is left.
func (l *lowering) quotient(t dtype.DType, x, y vector.Val) (q, r vector.Val) {
	b := l.b
	switch in := vector.F32; {
	case b.Has(vector.Quot, x.Kind, vector.None):
		q = b.Op(vector.Quot, x, y)
	case x.Kind == vector.I64:
		return l.longQuotient(x, y)
	default:
		if t == dtype.I32 {
			in = vector.F64
		}
		q = b.Convert(vector.ToInteger, vector.I32, b.Op(vector.Div, l.convert(in, x), l.convert(in, y)))
	}
	return q, b.Op(vector.Sub, x, b.Op(vector.Mul, q, y))
}

// longQuotient divides sizes of 64 bits: the quotient of their roundings leaves a remainder of few digits, whose
// quotient leaves one that is wrong by one divisor at most, also if quotients are wrong in their last two bits.
// Differences that wrap equal the differences of the exact numbers.
func (l *lowering) longQuotient(x, y vector.Val) (q, r vector.Val) {
	b := l.b
	op := func(o vector.Op, x, y vector.Val) vector.Val { return b.Op(o, x, y) }
	negative := func(x vector.Val) vector.Val { return b.OpImm(vector.ShiftSigned, 63, x) }
	negateBy := func(x, m vector.Val) vector.Val { return op(vector.Sub, op(vector.Xor, x, m), m) }
	size := func(x vector.Val) vector.Val { return b.Op(vector.Abs, b.Convert(vector.ToFloat, vector.F64, x)) }
	integer := func(x vector.Val) vector.Val { return b.Convert(vector.ToInteger, vector.I64, x) }

	xm, ym := negative(x), negative(y)
	a, d, f := negateBy(x, xm), negateBy(y, ym), size(y)
	over := func(x vector.Val) vector.Val { return op(vector.Div, x, f) }
	if c, ok := b.ConstantBits(y); ok {
		if n := math.Abs(float64(int64(c))); n >= 1 && n < 1<<53 {
			over = func(x vector.Val) vector.Val { return op(vector.Mul, x, b.Float(vector.F64, 1/n)) }
		}
	}
	q = integer(over(size(x)))
	r = op(vector.Sub, a, op(vector.Mul, q, d))
	n := integer(b.Op(vector.RoundDown, over(b.Convert(vector.ToFloat, vector.F64, r))))
	q, r = op(vector.Add, q, n), op(vector.Sub, r, op(vector.Mul, n, d))
	under := negative(r)
	q, r = op(vector.Add, q, under), op(vector.Add, r, op(vector.And, under, d))
	rest := op(vector.Sub, r, d)
	below := negative(rest)
	q = op(vector.Add, q, op(vector.Add, below, b.Bits(vector.I64, 1)))
	r = op(vector.Add, rest, op(vector.And, below, d))
	return negateBy(q, op(vector.Xor, xm, ym)), negateBy(r, xm)
}
