package stablehlo

import (
	"math"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
)

// isTiny reports whether t is a float of 8 bits or less. Elements of these types compute as f32 numbers that
// are rounded to the type after each operation.
func isTiny(t mlir.Type) bool {
	f, ok := t.(mlir.FloatType)
	return ok && f.Width() > 0 && f.Width() <= 8
}

// limits of a tiny type, found by decoding all its patterns: its largest and smallest number, what larger numbers
// become, what NaN becomes, and whether zero has a sign.
type limits struct {
	largest, smallest, overflow, nan float64
	signed, signedZero               bool
}

func limitsOf(t mlir.FloatType) limits {
	l := limits{overflow: t.Decode(t.Encode(math.Inf(1))), nan: t.Decode(t.Encode(math.NaN())), smallest: math.Inf(1)}
	for bits := range uint64(1) << t.Width() {
		switch v := t.Decode(bits); {
		case v == 0:
			l.signedZero = l.signedZero || math.Signbit(v)
		case v < 0:
			l.signed = true
		case !math.IsInf(v, 0) && v == v:
			l.largest, l.smallest = max(l.largest, v), min(l.smallest, v)
		}
	}
	return l
}

// rounded rounds a float to a tiny type, to nearest with ties to even; it keeps its own type.
func (s scalars) rounded(x *mlir.Value, t mlir.FloatType) *mlir.Value {
	x = s.widen(x)
	l := limitsOf(t)
	constant := func(v float64) *mlir.Value { return s.float(v, x.Type) }
	nan := arith.CmpF(s.Builder, arith.UNO, x, x)
	size := s.binary("minimumf", s.math("absf", x), constant(2*l.largest))
	power := s.powerBelow(size)
	var r *mlir.Value
	if l.signed {
		fraction, bias, _ := t.Layout()
		unit := s.binary("mulf", s.binary("maximumf", power, constant(math.Ldexp(1, 1-bias))), constant(math.Ldexp(1, -fraction)))
		r = s.binary("mulf", s.math("roundeven", s.binary("divf", size, unit)), unit)
		r = s.sel(arith.CmpF(s.Builder, arith.OGT, r, constant(l.largest)), constant(l.overflow), r)
		signed := s.math("copysign", r, x)
		if !l.signedZero {
			signed = s.sel(arith.CmpF(s.Builder, arith.OEQ, r, constant(0)), r, signed)
		}
		return s.sel(nan, constant(l.nan), signed)
	}
	up := arith.CmpF(s.Builder, arith.OGE, size, s.binary("mulf", power, constant(1.5)))
	// Its smallest numbers are below the normal ones of f32.
	least := s.sel(arith.CmpF(s.Builder, arith.OGE, size, constant(1.5*l.smallest)), constant(2*l.smallest), constant(l.smallest))
	r = s.binary("maximumf", s.sel(up, s.binary("addf", power, power), power), least)
	bad := s.binary("ori", nan, arith.CmpF(s.Builder, arith.OLT, x, constant(0)))
	bad = s.binary("ori", bad, arith.CmpF(s.Builder, arith.OGT, r, constant(l.largest)))
	return s.sel(bad, constant(l.nan), r)
}

// powerBelow is the largest power of two that is not above a number; numbers below the normal ones give 0.
func (s scalars) powerBelow(x *mlir.Value) *mlir.Value {
	width, fraction := mlir.BitWidth(x.Type), 23
	if width == 64 {
		fraction = 52
	}
	it := mlir.IntegerType{Width: width}
	exponent := int64(math.MaxInt64>>(64-width)) &^ (int64(1)<<fraction - 1)
	return s.bitcast(s.binary("andi", s.bitcast(x, it), s.int(exponent, it)), x.Type)
}

// bitcastTiny reinterprets elements of as many bits as each other.
func (c *block) bitcastTiny(op *mlir.Operation) {
	x := c.in(op)[0]
	from, to := operandElem(op, 0), resultElem(op)
	if mlir.BitWidth(from) != mlir.BitWidth(to) || mlir.BitWidth(from) != 8 {
		c.fail("from %s to %s", from, to)
	}
	if isTiny(from) {
		x = c.encoded(x, from)
	}
	if isTiny(to) {
		x = c.decoded(x, to)
	}
	c.set(op, x)
}

// encoded gives the bits of numbers of a tiny type, as i8.
func (c *block) encoded(x *mlir.Value, t mlir.Type) *mlir.Value {
	rank := len(x.Type.(mlir.TensorType).Shape)
	return c.generic(mlir.I8, x.Type.(mlir.TensorType).Shape, []operand{{x, mlir.Identity(rank)}},
		func(s scalars, e []*mlir.Value) *mlir.Value { return s.pattern(e[0], t.(mlir.FloatType)) })
}

// decoded gives the numbers that bits stand for in a tiny type of 8 bits.
func (c *block) decoded(x *mlir.Value, t mlir.Type) *mlir.Value {
	values := make([]float64, 256)
	for i := range values {
		values[i] = t.(mlir.FloatType).Decode(uint64(i))
	}
	dims := x.Type.(mlir.TensorType).Shape
	table := arith.Constant(c.b, mlir.DenseFloats(mlir.TensorType{Shape: []int{256}, Elem: mlir.F32}, values))
	return c.generic(mlir.F32, dims, []operand{{x, mlir.Identity(len(dims))}},
		func(s scalars, e []*mlir.Value) *mlir.Value { return s.extract(table, s.position(e[0], true)) })
}

// pattern gives the bits of a number of a tiny type.
func (s scalars) pattern(x *mlir.Value, t mlir.FloatType) *mlir.Value {
	fraction, bias, _ := t.Layout()
	l := limitsOf(t)
	size := s.math("absf", x)
	finite := s.binary("minimumf", size, s.float(l.largest, x.Type))
	power := s.powerBelow(finite)
	bits := s.bitcast(power, mlir.I32)
	exponent := s.binary("subi", s.binary("shrui", bits, s.int(23, mlir.I32)), s.int(127, mlir.I32))
	if l.signed { // the implicit bit of a normal number carries into the exponent
		exponent = s.binary("maxsi", exponent, s.int(int64(1-bias), mlir.I32))
		unit := s.binary("mulf", s.binary("maximumf", power, s.float(math.Ldexp(1, 1-bias), x.Type)),
			s.float(math.Ldexp(1, -fraction), x.Type))
		digits := arith.Cast(s.Builder, "fptosi", s.binary("divf", finite, unit), mlir.I32)
		above := s.binary("shli", s.binary("addi", exponent, s.int(int64(bias-1), mlir.I32)), s.int(int64(fraction), mlir.I32))
		bits = s.binary("addi", above, digits)
	} else {
		bits = s.binary("addi", exponent, s.int(int64(bias), mlir.I32))
	}
	constant := func(v float64) *mlir.Value { return s.int(int64(t.Encode(v)), mlir.I32) }
	bits = s.sel(arith.CmpF(s.Builder, arith.OGT, size, s.float(l.largest, x.Type)), constant(math.Inf(1)), bits)
	if l.signed {
		top := s.binary("shrui", s.bitcast(x, mlir.I32), s.int(31, mlir.I32))
		if !l.signedZero {
			top = s.sel(arith.CmpF(s.Builder, arith.OEQ, x, s.float(0, x.Type)), s.int(0, mlir.I32), top)
		}
		bits = s.binary("ori", bits, s.binary("shli", top, s.int(int64(t.Width()-1), mlir.I32)))
	}
	bits = s.sel(arith.CmpF(s.Builder, arith.UNO, x, x), constant(math.NaN()), bits)
	return arith.TruncI(s.Builder, bits, mlir.I8)
}
