package function

// remainder is x - y·trunc(x/y) of f64, which is exact: long division with digits of 52 bits. Most lanes need one.
func (s *sequence) remainder(x, y operand) operand {
	inf := s.infinity(f64)
	d := s.abs(y)
	// Division by zero is NaN from the start.
	d = s.when(equal, d, s.Float(f64, 0), d, s.notNumber(f64))
	r := s.longDivision(s.abs(x), d)
	r = s.when(less, r, s.Float(f64, 0), r, s.plus(r, d))
	// An infinite divisor leaves every number.
	r = s.when(equal, d, inf, r, s.abs(s.fma(x, s.Float(f64, 0), x)))
	return s.copySign(r, x)
}

// modulo is the remainder with the sign of the divisor, as Python has it.
func (s *sequence) modulo(x, y operand) operand {
	r := s.remainder(x, y)
	zero := s.Float(f64, 0)
	other := s.bySign(s.xor(r, y), r, s.plus(r, y))
	return s.when(equal, r, zero, other, r)
}

// floorDivide is the quotient that goes with modulo, computed as Python does it: the
// rounded quotient of x less its remainder.
func (s *sequence) floorDivide(x, y operand) operand {
	k := x.Kind
	wide := func(o operand) operand { return s.convert(f64, o) }
	r := s.convert(k, s.remainder(wide(x), wide(y)))
	zero, one := s.Float(k, 0), s.Float(k, 1)
	q := s.over(s.minus(x, r), y)
	less1 := s.bySign(s.xor(r, y), q, s.minus(q, one))
	q = s.when(equal, r, zero, less1, q)
	f := s.round(q, floor)
	f = s.when(greaterThan, s.minus(q, f), s.Float(k, 0.5), f, s.plus(f, one))
	exact := s.over(x, y)
	f = s.when(equal, q, zero, f, s.and(exact, s.signBit(k)))
	return s.when(equal, y, zero, f, exact)
}

// nextAfter is the number after x towards y.
func (s *sequence) nextAfter(x, y operand) operand {
	integer, zero := i32, s.Float(x.Kind, 0)
	if x.Kind == f64 {
		integer = i64
	}
	up := s.Bits(x.Kind, 1)
	down := s.Bits(x.Kind, 1<<(8*x.Kind.Size()-1)<<1-1)
	// Bits grow with the size of a number.
	grow := s.when(less, x, y, s.bySign(x, down, up), s.bySign(x, up, down))
	z := as(x.Kind, s.plus(as(integer, x), as(integer, grow)))
	z = s.when(equal, x, zero, z, s.or(s.and(y, s.signBit(x.Kind)), up))
	z = s.when(equal, x, y, z, y)
	return s.when(unordered, x, y, z, s.plus(x, y))
}
