package function

import (
	"math"
	"math/big"
	"sync"

	"github.com/go-acap/acap/kernel/vector"
)

// Reduction of angles modulo π/2, exact for every argument, without a slow path
// (after Payne and Hanek, in floating point). An angle is x = m·2ᵉ with integral m, so only the remainder of 2ᵉ·2/π
// modulo 4 matters. Tables hold it for all exponents, in parts. The first parts are in fixed point: their products with
// m are exact, and so is the removal of whole quadrants.

// turns are the parts of tables of 2ᵉ·2/π modulo 4.
type turns [][]float64

// makeTurns tabulates 2ᵉ·2/π modulo 4 for n exponents from low on in steps. Part i
// is rounded to 2 to the power of -grids[i]; one part more takes the rest.
func makeTurns(low, step, n int, grids ...int) turns {
	const bits = 1400
	twoOverPi := new(big.Float).SetPrec(bits).Quo(big.NewFloat(2).SetPrec(bits), pi(bits))
	t := make(turns, len(grids)+1)
	for i := range n {
		x := new(big.Float).SetMantExp(twoOverPi, low+i*step)
		q, _ := new(big.Float).SetMantExp(x, -2).Int(nil)
		x.Sub(x, new(big.Float).SetMantExp(new(big.Float).SetInt(q), 2))
		for p, grid := range grids {
			part := roundToGrid(x, grid)
			t[p] = append(t[p], part)
			x.Sub(x, big.NewFloat(part))
		}
		rest, _ := x.Float64()
		t[len(grids)] = append(t[len(grids)], rest)
	}
	return t
}

// roundToGrid is the multiple of 2 to the power of -grid next to x.
func roundToGrid(x *big.Float, grid int) float64 {
	scaled := new(big.Float).SetMantExp(x, grid)
	half := big.NewFloat(math.Copysign(0.5, float64(x.Sign())))
	n, _ := scaled.Add(scaled, half).Int(nil)
	part, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(n), -grid).Float64()
	return part
}

// pi is π by Machin's formula.
func pi(bits uint) *big.Float {
	guard := bits + 32
	arctan := func(n int64) *big.Int { // of 1/n
		sum := new(big.Int)
		term := new(big.Int).Lsh(big.NewInt(1), guard)
		term.Quo(term, big.NewInt(n))
		square := big.NewInt(n * n)
		for k := int64(1); term.Sign() != 0; k += 2 {
			t := new(big.Int).Quo(term, big.NewInt(k))
			if k%4 == 1 {
				sum.Add(sum, t)
			} else {
				sum.Sub(sum, t)
			}
			term.Quo(term, square)
		}
		return sum
	}
	n := arctan(5)
	n.Mul(n, big.NewInt(4)).Sub(n, arctan(239)).Mul(n, big.NewInt(4))
	return new(big.Float).SetMantExp(new(big.Float).SetPrec(bits).SetInt(n), -int(guard))
}

// The tables begin at |x| = ¼. The table of f32 has all exponents, with an integral m of 24 bits; the table of f64 has
// every sixteenth, with m of 53 to 68 bits.
const firstExponent = -2

var (
	turnsNarrow = sync.OnceValue(func() turns { return makeTurns(firstExponent-23, 1, 130, 26, 54) })
	turnsDouble = sync.OnceValue(func() turns { return makeTurns(firstExponent-52, 16, 65, 51, 104, 157) })
)

// exponentOf is the exponent of an f64 that is not negative above firstExponent, 0 if below, as i64.
func (s *sequence) exponentOf(a operand) operand {
	a = s.greater(s.Float(f64, math.Ldexp(1, firstExponent)), a)
	return s.minus(s.shiftRight(as(i64, a), 52), s.Bits(i64, 1023+firstExponent))
}

// moduloFour is the remainder of x modulo 4, between -2 and 2.
func (s *sequence) moduloFour(x operand) operand {
	q := s.round(s.times(x, s.Float(f64, 0.25)), nearestEven)
	return s.fnma(q, s.Float(f64, 4), x)
}

// quadrantNarrow splits x, an f32 held in f64, into (n + r)·π/2 with integral n, in
// the low bits of the result, and |r| ≤ ½ to 2⁻⁵² of itself. Infinities give NaN.
func (s *sequence) quadrantNarrow(x operand) (n, r operand) {
	t := turnsNarrow()
	// A larger, infinite or NaN angle has the last place: the product with 0 that is added makes it NaN.
	a, last := s.abs(x), s.Float(f64, math.Ldexp(1, firstExponent+len(t[0])-1))
	e := s.exponentOf(s.Op(vector.MinNum, a, last))
	m := as(f64, s.minus(s.plus(as(i64, x), s.Bits(i64, (23-firstExponent)<<52)), s.shiftLeft(e, 52)))
	high, low, rest := s.lookup(t[0], e), s.lookup(t[1], e), s.lookup(t[2], e)
	p := s.times(m, high) // exact: 24 and 28 bits
	magic := s.Float(f64, exponentials[f64].magic)
	n = s.plus(s.fma(m, low, p), magic)
	r = s.fma(m, rest, s.fma(m, low, s.minus(p, s.minus(n, magic))))
	return as(i64, n), s.fma(x, s.Float(f64, 0), r)
}

// quadrant splits x into n·π/2 + r with integral n, in the low bits of the result,
// and |r| ≤ π/4 in two parts. Infinities give NaN.
func (s *sequence) quadrant(x operand) (n, high, low operand) {
	q, h, l := s.turn(x)
	const piHalf, piHalfLow = math.Pi / 2, 6.123233995736766e-17
	high, low = s.exactProduct(h, s.Float(f64, piHalf))
	low = s.fma(h, s.Float(f64, piHalfLow), low)
	low = s.fma(l, s.Float(f64, piHalf), low)
	low = s.fma(x, s.Float(f64, 0), low)
	// Below π/4 the angle is its own remainder.
	small, zero := s.Float(f64, math.Pi/4), s.Float(f64, 0)
	a := s.abs(x)
	high = s.when(less, a, small, high, x)
	low = s.when(less, a, small, low, zero)
	n = s.plus(s.when(less, a, small, q, zero), s.Float(f64, exponentials[f64].magic))
	return as(i64, n), high, low
}

// turn splits x·2/π modulo 4 into an integer and a fraction in two parts.
func (s *sequence) turn(x operand) (q, high, low operand) {
	t := turnsDouble()
	k := s.shiftRight(s.exponentOf(s.abs(x)), 4)
	m := as(f64, s.minus(s.plus(as(i64, x), s.Bits(i64, (52-firstExponent)<<52)), s.shiftLeft(k, 56)))
	// The first product modulo 4 is a multiple of 2⁻⁵¹.
	h0, l0 := s.exactProduct(m, s.lookup(t[0], k))
	a := s.plus(s.moduloFour(h0), s.moduloFour(l0))
	h1, l1 := s.exactProduct(m, s.lookup(t[1], k))
	h1 = s.moduloFour(h1)
	grid := s.Float(f64, 6) // floats from 4 to 8 are multiples of 2⁻⁵⁰
	b := s.minus(s.plus(h1, grid), grid)
	rest := s.plus(s.minus(h1, b), l1)
	h2, l2 := s.exactProduct(m, s.lookup(t[2], k))
	q = s.round(s.plus(a, b), nearestEven)
	f := s.plus(s.minus(a, q), b)
	v, lost := s.exactSum(rest, h2)
	high, low = s.exactSum(f, v)
	l2 = s.fma(m, s.lookup(t[3], k), l2)
	low = s.plus(low, s.plus(lost, l2))
	return q, high, low
}
