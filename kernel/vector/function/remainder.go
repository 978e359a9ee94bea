package function

import "github.com/go-acap/acap/kernel/vector"

// remainder is x - y·trunc(x/y) of f64, which is exact: long division with digits of
// 52 bits. Most lanes need one.
func (s *sequence) remainder(x, y operand) operand {
	inf := s.infinity(f64)
	d := s.abs(y)
	// Division by zero is NaN from the start.
	d = s.when(equal, d, s.float(f64, 0), d, s.notNumber(f64))
	r := s.longDivision(s.abs(x), d)
	r = s.when(less, r, s.float(f64, 0), r, s.plus(r, d))
	// An infinite divisor leaves every number.
	r = s.when(equal, d, inf, r, s.abs(s.fma(x, s.float(f64, 0), x)))
	return s.orSign(r, x)
}

// longDivision takes multiples of d from r until |r| < d. A quotient may be rounded up, so the remainder may be
// negative. In each step the divisor is d·2ᵏ, where k leaves a quotient of 52 bits; that of a product with FMA is then
// exact. A step takes 51 bits at least, so the exponents say how many there are.
func (s *sequence) longDivision(r, d operand) operand {
	limit := s.plus(s.shiftRight(as(i64, d), 52), s.bits(i64, 52))
	bias := s.bits(i64, 1023)
	over := s.minus(s.shiftRight(as(i64, r), 52), s.minus(limit, s.bits(i64, 2*52)))
	steps := s.Largest(s.Op(vector.Max, over, s.bits(i64, 1)))
	return s.Loop(steps, 51, []operand{r}, func(_ operand, c []operand) []operand {
		r := c[0]
		k := s.Op(vector.Max, s.minus(s.shiftRight(as(i64, s.abs(r)), 52), limit), s.bits(i64, 0))
		half := s.shiftRight(k, 1)
		power := func(n operand) operand { return as(f64, s.shiftLeft(s.plus(n, bias), 52)) }
		by := s.times(s.times(d, power(s.minus(k, half))), power(half))
		q := s.round(s.over(r, by), truncate)
		return []operand{s.fnma(q, by, r)}
	})[0]
}

// modulo is the remainder with the sign of the divisor, as Python has it.
func (s *sequence) modulo(x, y operand) operand {
	r := s.remainder(x, y)
	zero := s.float(f64, 0)
	other := s.bySign(s.xor(r, y), r, s.plus(r, y))
	return s.when(equal, r, zero, other, r)
}

// floorDivide is the quotient that goes with modulo, computed as Python does it: the
// rounded quotient of x less its remainder.
func (s *sequence) floorDivide(x, y operand) operand {
	k := x.Kind
	wide := func(o operand) operand { return s.convert(f64, o) }
	r := s.convert(k, s.remainder(wide(x), wide(y)))
	zero, one := s.float(k, 0), s.float(k, 1)
	q := s.over(s.minus(x, r), y)
	less1 := s.bySign(s.xor(r, y), q, s.minus(q, one))
	q = s.when(equal, r, zero, less1, q)
	f := s.round(q, floor)
	f = s.when(greaterThan, s.minus(q, f), s.float(k, 0.5), f, s.plus(f, one))
	exact := s.over(x, y)
	f = s.when(equal, q, zero, f, s.and(exact, s.signBit(k)))
	return s.when(equal, y, zero, f, exact)
}

// nextAfter is the number after x towards y.
func (s *sequence) nextAfter(x, y operand) operand {
	integer, zero := i32, s.float(x.Kind, 0)
	if x.Kind == f64 {
		integer = i64
	}
	up := s.bits(x.Kind, 1)
	down := s.bits(x.Kind, 1<<(8*x.Kind.Size()-1)<<1-1)
	// Bits grow with the size of a number.
	grow := s.when(less, x, y, s.bySign(x, down, up), s.bySign(x, up, down))
	z := as(x.Kind, s.plus(as(integer, x), as(integer, grow)))
	z = s.when(equal, x, zero, z, s.or(s.and(y, s.signBit(x.Kind)), up))
	z = s.when(equal, x, y, z, y)
	return s.when(unordered, x, y, z, s.plus(x, y))
}
