package function

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// Code is what functions are written to: a vector program, or the code of a processor with instructions of its own.
// The code numbers its values. A mask is a value of its own kind to the code; what reads one is [Code.Blend].
type Code interface {
	// Bits is a constant, the same in all lanes.
	Bits(k vector.Kind, bits uint64) vector.Val
	// Op appends an operation on values of one kind, which gives another: arithmetic, logic, rounding to integers.
	Op(op vector.Op, args ...vector.Val) vector.Val
	// OpImm appends a shift by n bits.
	OpImm(op vector.Op, n int, args ...vector.Val) vector.Val
	// Float changes the kind of a float.
	Float(to vector.Kind, x vector.Val) vector.Val
	// Compare is the mask of a ? b.
	Compare(p Predicate, a, b vector.Val) vector.Val
	// Blend is yes where a mask is set, else no.
	Blend(mask, no, yes vector.Val) vector.Val
	// OrZero is x where a ? b, else 0. All are of one width.
	OrZero(p Predicate, a, b, x vector.Val) vector.Val
	// When is yes where a ? b, else no. All are of one width.
	When(p Predicate, a, b, no, yes vector.Val) vector.Val
	// BySign is yes in the lanes where the sign bit of x is set, else no.
	BySign(x, no, yes vector.Val) vector.Val
	// CopySign is the size of a with the sign of b.
	CopySign(a, b vector.Val) vector.Val
	// OrSign is a, which is not negative, with the sign of b.
	OrSign(a, b vector.Val) vector.Val
	// Lookup is the elements of a table of f64 at the indices in the lanes of an i64.
	Lookup(table []float64, index vector.Val) vector.Val
	// Choose is the elements of a table of f32 at the numbers in the low bits of i32; ok is false if no instruction
	// does it.
	Choose(table *[pieces]float32, index vector.Val) (y vector.Val, ok bool)
	// LongDivision takes multiples of d > 0 from r ≥ 0, both of f64, until |r| < d; NaN and infinity give NaN.
	LongDivision(r, d vector.Val) vector.Val
	// Own appends a function as only this code computes it; ok is false for all others.
	Own(op kernel.Op, x vector.Val) (y vector.Val, ok bool)
	// Scales reports whether one instruction multiplies floats of a kind by powers of two.
	Scales(k vector.Kind) bool
	// Scale is p·2ⁿ for integral n by this instruction. If n is infinite, it is 0 or infinity though p is NaN.
	Scale(p, n vector.Val) vector.Val
	// Mantissa splits x into m·2ᵉ with ¾ ≤ m < 1½ by instructions that give NaN for negative x, and an infinite e
	// for zeros and infinities; ok is false if there are none.
	Mantissa(x vector.Val) (e, m vector.Val, ok bool)
}

// Predicate is a comparison of floats.
type Predicate int

const (
	Equal Predicate = iota
	Less
	NotEqual
	NotLess      // or a NaN
	NotLessEqual // or a NaN
	Unordered
	GreaterThan
	GreaterEqual
)
