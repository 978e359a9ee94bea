package function

import "github.com/go-acap/acap/kernel/vector"

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

// sequence is a vector program with the operations that functions are made of, with short names, and with operations
// that processors have in different ways (program.go). A mask is a value of the kind of integers as wide as what was
// compared.
type sequence struct {
	*vector.Builder
	operands [3]operand // memory for the operands of an operation, which the builder copies
}

func sequenceOf(b *vector.Builder) *sequence { return &sequence{Builder: b} }

func (s *sequence) one(op vector.Op, a operand) operand {
	s.operands[0] = a
	return s.Op(op, s.operands[:1]...)
}

func (s *sequence) two(op vector.Op, a, b operand) operand {
	s.operands[0], s.operands[1] = a, b
	return s.Op(op, s.operands[:2]...)
}

func (s *sequence) three(op vector.Op, a, b, c operand) operand {
	s.operands = [3]operand{a, b, c}
	return s.Op(op, s.operands[:]...)
}

func (s *sequence) shift(op vector.Op, a operand, n int) operand {
	s.operands[0] = a
	return s.OpImm(op, n, s.operands[:1]...)
}

func (s *sequence) plus(a, b operand) operand           { return s.two(vector.Add, a, b) }
func (s *sequence) minus(a, b operand) operand          { return s.two(vector.Sub, a, b) }
func (s *sequence) times(a, b operand) operand          { return s.two(vector.Mul, a, b) }
func (s *sequence) over(a, b operand) operand           { return s.two(vector.Div, a, b) }
func (s *sequence) root(a operand) operand              { return s.one(vector.Sqrt, a) }
func (s *sequence) and(a, b operand) operand            { return s.two(vector.And, a, b) }
func (s *sequence) or(a, b operand) operand             { return s.two(vector.Or, a, b) }
func (s *sequence) xor(a, b operand) operand            { return s.two(vector.Xor, a, b) }
func (s *sequence) abs(a operand) operand               { return s.one(vector.Abs, a) }
func (s *sequence) negate(a operand) operand            { return s.one(vector.Neg, a) }
func (s *sequence) shiftLeft(a operand, n int) operand  { return s.shift(vector.ShiftLeft, a, n) }
func (s *sequence) shiftRight(a operand, n int) operand { return s.shift(vector.ShiftRight, a, n) }

func (s *sequence) shiftSigned(a operand, n int) operand { return s.shift(vector.ShiftSigned, a, n) }

// fma is a·b + c, fnma c - a·b, fms a·b - c.
func (s *sequence) fma(a, b, c operand) operand  { return s.three(vector.MulAdd, a, b, c) }
func (s *sequence) fnma(a, b, c operand) operand { return s.three(vector.NegMul, a, b, c) }
func (s *sequence) fms(a, b, c operand) operand  { return s.three(vector.MulSub, a, b, c) }

// as reads the bits of a as another kind of the same width.
func as(k kind, a operand) operand { return a.As(k) }

// The ways to round to an integer.
const (
	nearestEven = vector.RoundEven
	floor       = vector.RoundDown
	truncate    = vector.RoundZero
)

func (s *sequence) round(a operand, mode vector.Op) operand { return s.one(mode, a) }

// clamp limits x to [lo, hi]; a NaN stays.
func (s *sequence) clamp(x operand, lo, hi float64) operand {
	return s.lesser(s.Float(x.Kind, hi), s.greater(s.Float(x.Kind, lo), x))
}

// signBit is nothing but the sign.
func signBit(k kind) uint64 { return 1 << (8*k.Size() - 1) }

func (s *sequence) signBit(k kind) operand { return s.Bits(k, signBit(k)) }

// copySignZero is y, or x where that is zero.
func (s *sequence) copySignZero(y, x operand) operand {
	return s.when(equal, x, s.Float(x.Kind, 0), y, x)
}

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

// polynomial is c[0] + c[1]·x + … by Horner's rule.
func (s *sequence) polynomial(x operand, c ...float64) operand {
	p := s.Float(x.Kind, c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		p = s.fma(p, x, s.Float(x.Kind, c[i]))
	}
	return p
}

// lesser is the lesser of two floats; b if one of them is a NaN, or a NaN.
func (s *sequence) lesser(a, b operand) operand { return s.two(vector.MinAny, a, b) }

// greater is the greater likewise.
func (s *sequence) greater(a, b operand) operand { return s.two(vector.MaxAny, a, b) }
