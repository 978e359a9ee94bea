package function

import (
	"math"

	"github.com/go-acap/acap/kernel/vector"
)

// convert changes the kind of a float.
func (s *sequence) convert(to kind, x operand) operand {
	switch {
	case x.Kind == to:
		return x
	case to == f64:
		return s.Convert(vector.Widen, to, x)
	}
	return s.Convert(vector.Narrow, to, x)
}

// predicate is a comparison of floats.
type predicate struct {
	op   vector.Op // Invalid: neither operand is a NaN
	swap bool      // of the second with the first
	not  bool      // where the comparison does not hold
}

var (
	equal        = predicate{op: vector.Equal}
	less         = predicate{op: vector.Less}
	notEqual     = predicate{op: vector.Equal, not: true}
	notLess      = predicate{op: vector.Less, not: true}      // or a NaN
	notLessEqual = predicate{op: vector.LessEqual, not: true} // or a NaN
	unordered    = predicate{not: true}
	greaterThan  = predicate{op: vector.Less, swap: true}
)

// holds is the mask of the lanes where a ? b, without the not of the predicate: a reader of the mask exchanges its own
// operands for the not, which saves the instruction that inverts the mask.
func (s *sequence) holds(p predicate, a, b operand) operand {
	switch {
	case p.op == vector.Invalid:
		return s.Op(vector.And, s.Compare(vector.Equal, a, a), s.Compare(vector.Equal, b, b))
	case p.swap:
		return s.Compare(p.op, b, a)
	}
	return s.Compare(p.op, a, b)
}

// blend is yes where a mask is set, else no.
func (s *sequence) blend(mask, no, yes operand) operand {
	return s.Into(vector.Select, no.Kind, 0, mask, yes, no)
}

// orZero is x where a ? b, else 0. All are of one width.
func (s *sequence) orZero(p predicate, a, b, x operand) operand {
	op := vector.And
	if p.not {
		op = vector.AndNot
	}
	return s.Op(op, x, s.holds(p, a, b).As(x.Kind))
}

// when is yes where a ? b, else no. All are of one width.
func (s *sequence) when(p predicate, a, b, no, yes operand) operand {
	if p.not {
		no, yes = yes, no
	}
	return s.blend(s.holds(p, a, b), no, yes)
}

// bySign is yes in the lanes where the sign bit of x is set, else no.
func (s *sequence) bySign(x, no, yes operand) operand {
	return s.blend(s.OpImm(vector.ShiftSigned, 8*x.Kind.Size()-1, x.As(x.Kind.Mask())), no, yes)
}

// copySign is the size of a with the sign of b.
func (s *sequence) copySign(a, b operand) operand {
	return s.Op(vector.Merge, s.Bits(a.Kind, signBit(a.Kind)), b, a)
}

// lookup is the elements of a table of f64 at the indices in the lanes of an i64.
func (s *sequence) lookup(table []float64, index operand) operand {
	bits := make([]uint64, len(table))
	for i, x := range table {
		bits[i] = math.Float64bits(x)
	}
	return s.Lookup(vector.F64, s.Table(bits), index, vector.Access{Still: true})
}

// longDivision takes multiples of d > 0 from r ≥ 0, both of f64, until |r| < d; NaN and infinity give NaN. A quotient
// may be rounded up, so the remainder may be negative. In each step the divisor is d·2ᵏ, where k leaves a quotient of
// 52 bits; then the rest is exact with FMA. A step takes 51 bits at least, so the exponents say how many there are.
func (s *sequence) longDivision(r, d operand) operand {
	limit := s.plus(s.shiftRight(as(i64, d), 52), s.Bits(i64, 52))
	bias := s.Bits(i64, 1023)
	over := s.minus(s.shiftRight(as(i64, r), 52), s.minus(limit, s.Bits(i64, 2*52)))
	steps := s.Largest(s.Op(vector.Max, over, s.Bits(i64, 1)))
	return s.Loop(steps, 51, []operand{r}, func(_ operand, c []operand) []operand {
		r := c[0]
		k := s.Op(vector.Max, s.minus(s.shiftRight(as(i64, s.abs(r)), 52), limit), s.Bits(i64, 0))
		half := s.shiftRight(k, 1)
		power := func(n operand) operand { return as(f64, s.shiftLeft(s.plus(n, bias), 52)) }
		by := s.times(s.times(d, power(s.minus(k, half))), power(half))
		q := s.round(s.over(r, by), truncate)
		return []operand{s.fnma(q, by, r)}
	})[0]
}

// choose is the elements of a table of f32 at the numbers in the low bits of i32; ok is false if no instruction
// does it.
func (s *sequence) choose(table *[pieces]float32, index operand) (y operand, ok bool) {
	if !s.Has(vector.Choose, vector.F32, vector.None) {
		return y, false
	}
	words := make([]uint64, pieces/2)
	for n, x := range table {
		words[n/2] |= uint64(math.Float32bits(x)) << (n % 2 * 32)
	}
	return s.Into(vector.Choose, vector.F32, 0, s.Table(words), index), true
}

// scales reports whether one instruction multiplies floats of a kind by powers of two.
func (s *sequence) scales(k kind) bool { return s.Has(vector.Scale, k, vector.None) }
