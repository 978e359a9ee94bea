package function

import (
	"math"

	"github.com/go-acap/acap/kernel/vector"
)

// program is a vector program with the operations of functions that processors have in different ways. A mask is a
// value of the kind of integers as wide as what was compared.
type program struct{ *vector.Builder }

// Float changes the kind of a float.
func (p program) Float(to vector.Kind, x vector.Val) vector.Val {
	if to == vector.F64 {
		return p.Convert(vector.Widen, to, x)
	}
	return p.Convert(vector.Narrow, to, x)
}

// Compare is the mask of a ? b.
func (p program) Compare(q Predicate, a, b vector.Val) vector.Val {
	switch q {
	case Equal:
		return p.Builder.Compare(vector.Equal, a, b)
	case Less:
		return p.Builder.Compare(vector.Less, a, b)
	case NotEqual:
		return p.Op(vector.Not, p.Builder.Compare(vector.Equal, a, b))
	case NotLess:
		return p.Op(vector.Not, p.Builder.Compare(vector.Less, a, b))
	case NotLessEqual:
		return p.Op(vector.Not, p.Builder.Compare(vector.LessEqual, a, b))
	case GreaterThan:
		return p.Builder.Compare(vector.Less, b, a)
	case GreaterEqual:
		return p.Builder.Compare(vector.LessEqual, b, a)
	}
	return p.Op(vector.Not, p.ordered(a, b))
}

// ordered is the mask of the lanes where neither a nor b is a NaN.
func (p program) ordered(a, b vector.Val) vector.Val {
	return p.Op(vector.And, p.Compare(Equal, a, a), p.Compare(Equal, b, b))
}

// Blend is yes where a mask is set, else no.
func (p program) Blend(mask, no, yes vector.Val) vector.Val {
	return p.Into(vector.Select, no.Kind, 0, mask, yes, no)
}

// OrZero is x where a ? b, else 0. All are of one width.
func (p program) OrZero(q Predicate, a, b, x vector.Val) vector.Val {
	switch q { // a mask that is not turned round is one instruction less
	case NotLess:
		return p.Op(vector.AndNot, x, p.Builder.Compare(vector.Less, a, b).As(x.Kind))
	case NotLessEqual:
		return p.Op(vector.AndNot, x, p.Builder.Compare(vector.LessEqual, a, b).As(x.Kind))
	}
	return p.Op(vector.And, x, p.Compare(q, a, b).As(x.Kind))
}

// When is yes where a ? b, else no. All are of one width.
func (p program) When(q Predicate, a, b, no, yes vector.Val) vector.Val {
	switch q { // a mask that is not turned round is one instruction less
	case NotEqual:
		return p.Blend(p.Compare(Equal, a, b), yes, no)
	case NotLess:
		return p.Blend(p.Compare(Less, a, b), yes, no)
	case Unordered:
		return p.Blend(p.ordered(a, b), yes, no)
	}
	return p.Blend(p.Compare(q, a, b), no, yes)
}

// BySign is yes in the lanes where the sign bit of x is set, else no.
func (p program) BySign(x, no, yes vector.Val) vector.Val {
	return p.Blend(p.OpImm(vector.ShiftSigned, 8*x.Kind.Size()-1, x.As(x.Kind.Mask())), no, yes)
}

// CopySign is the size of a with the sign of b.
func (p program) CopySign(a, b vector.Val) vector.Val {
	return p.Op(vector.Merge, p.Bits(a.Kind, signBit(a.Kind)), b, a)
}

// Lookup is the elements of a table of f64 at the indices in the lanes of an i64.
func (p program) Lookup(table []float64, index vector.Val) vector.Val {
	bits := make([]uint64, len(table))
	for i, x := range table {
		bits[i] = math.Float64bits(x)
	}
	return p.Builder.Lookup(vector.F64, p.Table(bits), index, vector.Access{Still: true})
}

// LongDivision takes multiples of d > 0 from r ≥ 0, both of f64, until |r| < d; NaN and infinity give NaN.
// A quotient may be rounded up, so the remainder may be negative. In each step the
// divisor is d·2ᵏ, where k leaves a quotient of 52 bits; that of a product with FMA is then exact. A step takes 51 bits
// at least, so the exponents say how many there are.
func (p program) LongDivision(r, d vector.Val) vector.Val {
	s := &sequence{program: p}
	limit := s.plus(s.shiftRight(as(i64, d), 52), s.bits(i64, 52))
	bias := s.bits(i64, 1023)
	over := s.minus(s.shiftRight(as(i64, r), 52), s.minus(limit, s.bits(i64, 2*52)))
	steps := p.Largest(p.Op(vector.Max, over, s.bits(i64, 1)))
	return p.Loop(steps, 51, []operand{r}, func(_ operand, c []operand) []operand {
		r := c[0]
		k := p.Op(vector.Max, s.minus(s.shiftRight(as(i64, s.abs(r)), 52), limit), s.bits(i64, 0))
		half := s.shiftRight(k, 1)
		power := func(n operand) operand { return as(f64, s.shiftLeft(s.plus(n, bias), 52)) }
		by := s.times(s.times(d, power(s.minus(k, half))), power(half))
		q := s.round(s.over(r, by), truncate)
		return []operand{s.fnma(q, by, r)}
	})[0]
}

// Choose is the elements of a table of f32 at the numbers in the low bits of i32; ok is false if no instruction
// does it.
func (p program) Choose(table *[pieces]float32, index vector.Val) (y vector.Val, ok bool) {
	if !p.Has(vector.Choose, vector.F32, vector.None) {
		return y, false
	}
	words := make([]uint64, pieces/2)
	for n, x := range table {
		words[n/2] |= uint64(math.Float32bits(x)) << (n % 2 * 32)
	}
	return p.Into(vector.Choose, vector.F32, 0, p.Table(words), index), true
}

// Scales reports whether one instruction multiplies floats of a kind by powers of two.
func (p program) Scales(k vector.Kind) bool { return p.Has(vector.Scale, k, vector.None) }

// Scale is p·2ⁿ for integral n by this instruction. If n is infinite, it is 0 or infinity though p is NaN.
func (p program) Scale(x, n vector.Val) vector.Val { return p.Op(vector.Scale, x, n) }

// Mantissa splits x into m·2ᵉ with ¾ ≤ m < 1½ by instructions that give NaN for negative x, and an infinite e
// for zeros and infinities; ok is false if there are none.
func (p program) Mantissa(x vector.Val) (e, m vector.Val, ok bool) {
	if !p.Has(vector.Mantissa, x.Kind, vector.None) {
		return e, m, false
	}
	m = p.Op(vector.Mantissa, x)
	return p.Op(vector.Sub, p.Op(vector.Exponent, x), p.Op(vector.Exponent, m)), m, true
}
