package function

import (
	"math"

	"github.com/go-acap/acap/kernel/vector"
)

type (
	kind    = vector.Kind
	operand = vector.Val
)

const (
	f32 = vector.F32
	f64 = vector.F64
	i32 = vector.I32
	i64 = vector.I64
)

// sequence is a builder with short names for what functions are made of.
type sequence struct{ *vector.Builder }

func (s *sequence) float(k kind, x float64) operand     { return s.Float(k, x) }
func (s *sequence) bits(k kind, bits uint64) operand    { return s.Bits(k, bits) }
func (s *sequence) plus(a, b operand) operand           { return s.Op(vector.Add, a, b) }
func (s *sequence) minus(a, b operand) operand          { return s.Op(vector.Sub, a, b) }
func (s *sequence) times(a, b operand) operand          { return s.Op(vector.Mul, a, b) }
func (s *sequence) over(a, b operand) operand           { return s.Op(vector.Div, a, b) }
func (s *sequence) lesser(a, b operand) operand         { return s.Op(vector.Min, a, b) }
func (s *sequence) greater(a, b operand) operand        { return s.Op(vector.Max, a, b) }
func (s *sequence) root(a operand) operand              { return s.Op(vector.Sqrt, a) }
func (s *sequence) and(a, b operand) operand            { return s.Op(vector.And, a, b) }
func (s *sequence) or(a, b operand) operand             { return s.Op(vector.Or, a, b) }
func (s *sequence) xor(a, b operand) operand            { return s.Op(vector.Xor, a, b) }
func (s *sequence) abs(a operand) operand               { return s.Op(vector.Abs, a) }
func (s *sequence) negate(a operand) operand            { return s.Op(vector.Neg, a) }
func (s *sequence) shiftLeft(a operand, n int) operand  { return s.OpImm(vector.ShiftLeft, n, a) }
func (s *sequence) shiftRight(a operand, n int) operand { return s.OpImm(vector.ShiftRight, n, a) }

// fma is a·b + c, fnma c - a·b, fms a·b - c.
func (s *sequence) fma(a, b, c operand) operand  { return s.Op(vector.MulAdd, a, b, c) }
func (s *sequence) fnma(a, b, c operand) operand { return s.Op(vector.NegMul, a, b, c) }
func (s *sequence) fms(a, b, c operand) operand  { return s.Op(vector.MulSub, a, b, c) }

// as reads the bits of a as another kind of the same width.
func as(k kind, a operand) operand { return a.As(k) }

// The ways to round to an integer.
const (
	nearestEven = vector.RoundEven
	floor       = vector.RoundDown
	truncate    = vector.RoundZero
)

func (s *sequence) round(a operand, mode vector.Op) operand { return s.Op(mode, a) }

// predicate is a comparison.
type predicate int

const (
	equal predicate = iota
	less
	notEqual
	notLess // or a NaN
	unordered
	greaterThan
	greaterEqual
)

// compare is the mask of a ? b, of the width of a.
func (s *sequence) compare(p predicate, a, b operand) operand {
	switch p {
	case equal:
		return s.Compare(vector.Equal, a, b)
	case less:
		return s.Compare(vector.Less, a, b)
	case notEqual:
		return s.Op(vector.Not, s.Compare(vector.Equal, a, b))
	case notLess:
		return s.Op(vector.Not, s.Compare(vector.Less, a, b))
	case greaterThan:
		return s.Compare(vector.Less, b, a)
	case greaterEqual:
		return s.Compare(vector.LessEqual, b, a)
	}
	return s.Op(vector.Not, s.Op(vector.And, s.Compare(vector.Equal, a, a), s.Compare(vector.Equal, b, b)))
}

// blend is yes where a mask of the same width is -1, else no.
func (s *sequence) blend(m, no, yes operand) operand {
	return s.Into(vector.Select, no.Kind, 0, m, yes, no)
}

// when is yes where a ? b, else no. All are of one width.
func (s *sequence) when(p predicate, a, b, no, yes operand) operand {
	switch p { // a mask that is not turned round is one instruction less
	case notEqual:
		return s.blend(s.compare(equal, a, b), yes, no)
	case notLess:
		return s.blend(s.compare(less, a, b), yes, no)
	case unordered:
		return s.blend(s.And(s.compare(equal, a, a), s.compare(equal, b, b)), yes, no)
	}
	return s.blend(s.compare(p, a, b), no, yes)
}

// And is the conjunction of masks.
func (s *sequence) And(a, b operand) operand { return s.Op(vector.And, a, b) }

// bySign is yes in the lanes where the sign bit of x is set, else no.
func (s *sequence) bySign(x, no, yes operand) operand {
	m := s.OpImm(vector.ShiftSigned, 8*x.Kind.Size()-1, as(x.Kind.Mask(), x))
	return s.blend(m, no, yes)
}

// clamp limits x to [lo, hi]; a NaN stays.
func (s *sequence) clamp(x operand, lo, hi float64) operand {
	return s.lesser(s.float(x.Kind, hi), s.greater(s.float(x.Kind, lo), x))
}

// signBit is the constant with nothing but the sign.
func (s *sequence) signBit(k kind) operand { return s.bits(k, 1<<(8*k.Size()-1)) }

// copySign is the size of a with the sign of b.
func (s *sequence) copySign(a, b operand) operand {
	return s.Into(vector.Select, a.Kind, 0, s.signBit(a.Kind), b, a)
}

// copySignZero is y, or x where that is zero.
func (s *sequence) copySignZero(y, x operand) operand {
	return s.when(equal, x, s.float(x.Kind, 0), y, x)
}

// orSign gives y, which is not negative, the sign of x.
func (s *sequence) orSign(y, x operand) operand { return s.copySign(y, x) }

// exactProduct is the high and the low part of a·b.
func (s *sequence) exactProduct(a, b operand) (high, low operand) {
	high = s.times(a, b)
	return high, s.fms(a, b, high)
}

// exactSum is a + b and what the rounding lost (Knuth's TwoSum).
func (s *sequence) exactSum(a, b operand) (sum, lost operand) {
	sum = s.plus(a, b)
	t := s.minus(sum, a)
	return sum, s.plus(s.minus(a, s.minus(sum, t)), s.minus(b, t))
}

// orderedSum is exactSum for |a| ≥ |b| or a = 0.
func (s *sequence) orderedSum(a, b operand) (sum, lost operand) {
	sum = s.plus(a, b)
	return sum, s.minus(b, s.minus(sum, a))
}

// lookup is the elements of a table of f64 at the indices in the lanes of i64.
func (s *sequence) lookup(table []float64, index operand) operand {
	bits := make([]uint64, len(table))
	for i, x := range table {
		bits[i] = math.Float64bits(x)
	}
	return s.Builder.Lookup(f64, s.Table(bits), index, vector.Access{Still: true})
}

// polynomial is c[0] + c[1]·x + … by Horner's rule.
func (s *sequence) polynomial(x operand, c ...float64) operand {
	p := s.float(x.Kind, c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		p = s.fma(p, x, s.float(x.Kind, c[i]))
	}
	return p
}

// convert changes the kind of x between floats.
func (s *sequence) convert(to kind, x operand) operand {
	switch {
	case x.Kind == to:
		return x
	case to == f64:
		return s.Convert(vector.Widen, f64, x)
	}
	return s.Convert(vector.Narrow, f32, x)
}
