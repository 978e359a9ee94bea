package convert

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// The integers of MLIR are signless, and its operations say whether they are unsigned. Kernels have one unsigned type,
// u8. Unsigned operations on eight bits run as u8. Wider ones run as signed operations on 64 bits where the values fit,
// and otherwise with the sign bit inverted, which keeps the order.

var unsignedTranslators = map[string]func(s *scalars, op *mlir.Operation, x []int) int{
	"arith.divui":     unsignedDivision(kernel.Div),
	"arith.remui":     unsignedDivision(kernel.Rem),
	"arith.ceildivui": ceilDivUnsigned,
	"arith.maxui":     unsignedExtreme(kernel.Gt),
	"arith.minui":     unsignedExtreme(kernel.Lt),
	"arith.shrui": func(s *scalars, _ *mlir.Operation, x []int) int {
		return shiftRightLogical(s.b, x[0], x[1])
	},
	"arith.extui": func(s *scalars, op *mlir.Operation, x []int) int {
		return s.b.Cast(s.result(op), zeroExtend(s.b, x[0]))
	},
	"arith.index_castui": func(s *scalars, op *mlir.Operation, x []int) int {
		return s.b.Cast(s.result(op), zeroExtend(s.b, x[0]))
	},
	"arith.uitofp": unsignedToFloat,
	"arith.fptoui": floatToUnsigned,
}

// ordered maps an integer so that signed order is the unsigned order of x.
func ordered(b *kernel.Builder, x int) int {
	t := b.Type(x)
	if t == dtype.I8 || t == dtype.U8 {
		return relabel(b, x, dtype.U8)
	}
	return b.Binary(kernel.Xor, x, b.ConstBits(t, 1<<(t.Bits()-1)))
}

// zeroExtend widens to 64 bits with zeros (eight bits stay u8).
func zeroExtend(b *kernel.Builder, x int) int {
	switch t := b.Type(x); t {
	case dtype.I8, dtype.U8:
		return relabel(b, x, dtype.U8)
	case dtype.I16, dtype.I32:
		return b.Binary(kernel.And, b.Cast(dtype.I64, x), b.ConstBits(dtype.I64, sizeMask(t)))
	}
	return x
}

func shiftRightLogical(b *kernel.Builder, x, by int) int {
	t := b.Type(x)
	if t == dtype.I8 {
		return relabel(b, b.Binary(kernel.Shr, relabel(b, x, dtype.U8), relabel(b, by, dtype.U8)), t)
	}
	// Clear the copies of the sign: all ones shifted left by width - by, in two
	// steps because by may be 0.
	shifted := b.Binary(kernel.Shr, x, by)
	left := b.Binary(kernel.Sub, b.Const(t, float64(t.Bits()-1)), by)
	ones := b.Binary(kernel.Shl, b.Binary(kernel.Shl, b.Const(t, -1), left), b.Const(t, 1))
	return b.Binary(kernel.And, shifted, b.Unary(kernel.Not, ones))
}

func unsignedDivision(op kernel.Op) func(*scalars, *mlir.Operation, []int) int {
	return func(s *scalars, _ *mlir.Operation, x []int) int {
		b := s.b
		t := b.Type(x[0])
		if t != dtype.I64 {
			r := b.Binary(op, zeroExtend(b, x[0]), zeroExtend(b, x[1]))
			if b.Type(r) == dtype.U8 {
				return relabel(b, r, t)
			}
			return b.Cast(t, r)
		}
		q := divide64(b, x[0], x[1])
		if op == kernel.Div {
			return q
		}
		return b.Binary(kernel.Sub, x[0], b.Binary(kernel.Mul, q, x[1]))
	}
}

// divide64 divides unsigned 64-bit integers with signed instructions (Hacker's
// Delight, 9-3): halve x, divide, double, and correct by one.
func divide64(b *kernel.Builder, x, y int) int {
	one := b.Const(dtype.I64, 1)
	half := b.Binary(kernel.Div, shiftRightLogical(b, x, one), y)
	q := b.Binary(kernel.Shl, half, one)
	rest := b.Binary(kernel.Sub, x, b.Binary(kernel.Mul, q, y))
	less := b.Binary(kernel.Lt, ordered(b, rest), ordered(b, y))
	q = b.Select(less, q, b.Binary(kernel.Add, q, one))
	// A divisor of 2⁶³ or more goes in once or not at all.
	large := b.Binary(kernel.Lt, y, b.Const(dtype.I64, 0))
	once := b.Cast(dtype.I64, b.Binary(kernel.Ge, ordered(b, x), ordered(b, y)))
	return b.Select(large, once, q)
}

func ceilDivUnsigned(s *scalars, op *mlir.Operation, x []int) int {
	q := unsignedDivision(kernel.Div)(s, op, x)
	r := unsignedDivision(kernel.Rem)(s, op, x)
	some := s.b.Binary(kernel.Ne, r, s.b.Const(s.b.Type(r), 0))
	return s.b.Binary(kernel.Add, q, s.b.Cast(s.b.Type(q), some))
}

func unsignedExtreme(wins kernel.Op) func(*scalars, *mlir.Operation, []int) int {
	return func(s *scalars, _ *mlir.Operation, x []int) int {
		b := s.b
		if b.Type(x[0]) == dtype.Bool {
			if wins == kernel.Gt {
				return b.Binary(kernel.Or, x[0], x[1])
			}
			return b.Binary(kernel.And, x[0], x[1])
		}
		return b.Select(b.Binary(wins, ordered(b, x[0]), ordered(b, x[1])), x[0], x[1])
	}
}

func unsignedToFloat(s *scalars, op *mlir.Operation, x []int) int {
	b, to := s.b, s.result(op)
	if b.Type(x[0]) != dtype.I64 {
		return b.Cast(to, zeroExtend(b, x[0]))
	}
	// Above 2⁶³: halve with the lost bit kept for the rounding, convert, double.
	one := b.Const(dtype.I64, 1)
	half := b.Binary(kernel.Or, shiftRightLogical(b, x[0], one), b.Binary(kernel.And, x[0], one))
	big := b.Binary(kernel.Mul, b.Cast(to, half), b.Const(to, 2))
	return b.Select(b.Binary(kernel.Lt, x[0], b.Const(dtype.I64, 0)), big, b.Cast(to, x[0]))
}

// floatToUnsigned cuts the fraction. A negative number wraps, as where a processor has no unsigned conversion.
func floatToUnsigned(s *scalars, op *mlir.Operation, x []int) int {
	b, to, from := s.b, s.result(op), s.b.Type(x[0])
	cut := b.Cast(dtype.I64, x[0])
	if to == dtype.I64 && from != dtype.F16 { // above 2⁶³: convert what is above
		limit := b.Const(from, 1<<63)
		above := b.Binary(kernel.Add, b.Cast(dtype.I64, b.Binary(kernel.Sub, x[0], limit)), b.ConstBits(dtype.I64, 1<<63))
		cut = b.Select(b.Binary(kernel.Lt, x[0], limit), cut, above)
	}
	return b.Cast(to, cut)
}

// multiplyExtended gives the low and the high half of a product. Products of
// 64-bit integers are put together from the products of their halves.
func (s *scalars) multiplyExtended(op *mlir.Operation) bool {
	x, ok := s.operands(op)
	if !ok || len(op.Results) != 2 {
		return false
	}
	b, t := s.b, s.b.Type(x[0])
	unsigned := op.Name == "arith.mului_extended"
	low, high := 0, 0
	switch {
	case t == dtype.Bool: // -1 times -1 is 1
		low, high = b.Binary(kernel.And, x[0], x[1]), b.Const(t, 0)
	case t == dtype.I64:
		high = highProduct64(b, x[0], x[1])
		if !unsigned {
			high = b.Binary(kernel.Sub, high, maskedByNegative(b, x[0], x[1]))
			high = b.Binary(kernel.Sub, high, maskedByNegative(b, x[1], x[0]))
		}
	default:
		wide := func(v int) int {
			if unsigned {
				v = zeroExtend(b, v)
			}
			return b.Cast(dtype.I64, v)
		}
		product := b.Binary(kernel.Mul, wide(x[0]), wide(x[1]))
		high = b.Cast(t, b.Binary(kernel.Shr, product, b.Const(dtype.I64, float64(t.Bits()))))
	}
	if t != dtype.Bool {
		low = b.Binary(kernel.Mul, x[0], x[1])
	}
	s.values[op.Results[0]], s.values[op.Results[1]] = low, high
	return true
}

// addExtended gives a sum, and whether it is too large for the type without a sign.
func (s *scalars) addExtended(op *mlir.Operation) bool {
	x, ok := s.operands(op)
	if !ok || len(op.Results) != 2 {
		return false
	}
	b := s.b
	var sum, carry int
	if b.Type(x[0]) == dtype.Bool {
		sum, carry = b.Binary(kernel.Xor, x[0], x[1]), b.Binary(kernel.And, x[0], x[1])
	} else {
		sum = b.Binary(kernel.Add, x[0], x[1])
		carry = b.Binary(kernel.Lt, ordered(b, sum), ordered(b, x[0]))
	}
	s.values[op.Results[0]], s.values[op.Results[1]] = sum, carry
	return true
}

// maskedByNegative is y if x is negative, and 0 otherwise.
func maskedByNegative(b *kernel.Builder, x, y int) int {
	zero := b.Const(dtype.I64, 0)
	return b.Select(b.Binary(kernel.Lt, x, zero), y, zero)
}

// highProduct64 is the high half of an unsigned 64-bit product.
func highProduct64(b *kernel.Builder, x, y int) int {
	c32, low := b.Const(dtype.I64, 32), b.ConstBits(dtype.I64, 1<<32-1)
	lo := func(v int) int { return b.Binary(kernel.And, v, low) }
	hi := func(v int) int { return shiftRightLogical(b, v, c32) }
	mul := func(v, w int) int { return b.Binary(kernel.Mul, v, w) }
	add := func(v, w int) int { return b.Binary(kernel.Add, v, w) }
	mid := add(mul(hi(x), lo(y)), hi(mul(lo(x), lo(y))))
	rest := add(mul(lo(x), hi(y)), lo(mid))
	return add(add(mul(hi(x), hi(y)), hi(mid)), hi(rest))
}
