package function

// remainder is x - y·trunc(x/y) of f64, which is exact: long division with digits of
// 52 bits. Most lanes need one.
func (s *sequence) remainder(x, y operand) operand {
	inf := s.infinity(f64)
	d := s.abs(y)
	// Division by zero is NaN from the start.
	d = s.when(Equal, d, s.float(f64, 0), d, s.notNumber(f64))
	r := s.LongDivision(s.abs(x), d)
	r = s.when(Less, r, s.float(f64, 0), r, s.plus(r, d))
	// An infinite divisor leaves every number.
	r = s.when(Equal, d, inf, r, s.abs(s.fma(x, s.float(f64, 0), x)))
	return s.orSign(r, x)
}

// modulo is the remainder with the sign of the divisor, as Python has it.
func (s *sequence) modulo(x, y operand) operand {
	r := s.remainder(x, y)
	zero := s.float(f64, 0)
	other := s.bySign(s.xor(r, y), r, s.plus(r, y))
	return s.when(Equal, r, zero, other, r)
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
	q = s.when(Equal, r, zero, less1, q)
	f := s.round(q, floor)
	f = s.when(GreaterThan, s.minus(q, f), s.float(k, 0.5), f, s.plus(f, one))
	exact := s.over(x, y)
	f = s.when(Equal, q, zero, f, s.and(exact, s.signBit(k)))
	return s.when(Equal, y, zero, f, exact)
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
	grow := s.when(Less, x, y, s.bySign(x, down, up), s.bySign(x, up, down))
	z := as(x.Kind, s.plus(as(integer, x), as(integer, grow)))
	z = s.when(Equal, x, zero, z, s.or(s.and(y, s.signBit(x.Kind)), up))
	z = s.when(Equal, x, y, z, y)
	return s.when(Unordered, x, y, z, s.plus(x, y))
}
