package stablehlo

import (
	"math"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
)

// convert changes an element from one type to another.
func (s scalars) convert(x *mlir.Value, from, to mlir.Type) *mlir.Value {
	bare := signlessElem(to)
	switch {
	case mlir.SameType(from, to):
		return x
	case isBool(to):
		if isFloat(from) {
			x = s.widen(x)
			return arith.CmpF(s.Builder, arith.UNE, x, s.number(0, x))
		}
		return arith.CmpI(s.Builder, arith.NE, x, s.number(0, x))
	case isFloat(from) && isFloat(to):
		return s.resize(s.narrow(x, to), bare)
	case isFloat(to):
		name, wide := "sitofp", mlir.Type(bare)
		if isUnsigned(from) {
			name = "uitofp"
		}
		if isHalf(to) || isTiny(to) {
			wide = mlir.F64 // which holds integers of up to 53 bits
		}
		return s.resize(s.narrow(arith.Cast(s.Builder, name, x, wide), to), bare)
	case isFloat(from):
		return s.truncate(s.widen(x), to)
	}
	have, want := mlir.BitWidth(x.Type), mlir.BitWidth(bare)
	switch {
	case want < have:
		x = arith.TruncI(s.Builder, x, bare)
	case want == have:
	case isUnsigned(from):
		return arith.Cast(s.Builder, "extui", x, bare)
	default:
		return arith.Cast(s.Builder, "extsi", x, bare)
	}
	return s.wrapped(x, to)
}

// resize changes the width of a float.
func (s scalars) resize(x *mlir.Value, to mlir.Type) *mlir.Value {
	have, want := mlir.BitWidth(x.Type), mlir.BitWidth(to)
	switch {
	case mlir.SameType(x.Type, to):
		return x
	case have == want: // f16 and bf16
		return arith.TruncF(s.Builder, arith.ExtF(s.Builder, x, mlir.F32), to)
	case want < have:
		return arith.TruncF(s.Builder, x, to)
	}
	return arith.ExtF(s.Builder, x, to)
}

// truncate makes a float an integer: towards zero, the nearest bound outside the range, 0 for
// NaN.
func (s scalars) truncate(x *mlir.Value, to mlir.Type) *mlir.Value {
	t := signlessElem(to)
	width := mlir.BitWidth(to)
	low, high := -math.Ldexp(1, width-1), math.Ldexp(1, width-1)
	least, most, name := int64(math.MinInt64>>(64-width)), int64(math.MaxInt64>>(64-width)), "fptosi"
	if isUnsigned(to) {
		low, high, least, most, name = 0, math.Ldexp(1, width), 0, -1, "fptoui"
		if isNarrow(to) {
			most = 1<<width - 1
		}
	}
	inside := s.binary("andi", arith.CmpF(s.Builder, arith.OGE, x, s.float(low, x.Type)),
		arith.CmpF(s.Builder, arith.OLT, x, s.float(high, x.Type)))
	safe := s.sel(inside, x, s.number(0, x))
	bound := s.sel(arith.CmpF(s.Builder, arith.OLT, x, s.float(low, x.Type)), s.int(least, t), s.int(most, t))
	bound = s.sel(arith.CmpF(s.Builder, arith.UNO, x, x), s.int(0, t), bound)
	return s.sel(inside, arith.Cast(s.Builder, name, safe, t), bound)
}

// reducePrecision rounds to a format of fewer bits, to the nearest, ties to even. Numbers that are too large become
// infinite, numbers that are too small zero.
func (s scalars) reducePrecision(op *mlir.Operation, x *mlir.Value) *mlir.Value {
	exponent, mantissa := s.c.integer(op, "exponent_bits", 0), s.c.integer(op, "mantissa_bits", -1)
	if exponent < 1 || mantissa < 0 {
		s.c.fail("the format e%dm%d", exponent, mantissa)
	}
	have, fraction := 11, 52
	t := x.Type
	wide := s.widen(x)
	if !mlir.SameType(wide.Type, mlir.F64) {
		have, fraction = 8, 23
	}
	width := have + fraction + 1
	it := mlir.IntegerType{Width: width}
	bits := s.bitcast(wide, it)
	sign := s.binary("andi", bits, s.int(math.MinInt64>>(64-width), it))
	size := s.binary("xori", bits, sign)
	infinity := s.int((int64(1)<<have-1)<<fraction, it)
	nan := arith.CmpI(s.Builder, arith.UGT, size, infinity)
	if drop := fraction - mantissa; drop > 0 {
		last := s.binary("andi", s.binary("shrui", size, s.int(int64(drop), it)), s.int(1, it))
		size = s.binary("addi", size, s.binary("addi", last, s.int(int64(1)<<(drop-1)-1, it)))
		size = s.binary("andi", size, s.int(-1<<drop, it))
	}
	size = s.sel(nan, infinity, size)
	if exponent < have {
		bias, own := int64(1)<<(have-1)-1, int64(1)<<(exponent-1)-1
		largest := s.int((bias+own)<<fraction|(int64(1)<<fraction-1), it)
		smallest := s.int((bias-own+1)<<fraction, it)
		size = s.sel(arith.CmpI(s.Builder, arith.UGT, size, largest), infinity, size)
		size = s.sel(arith.CmpI(s.Builder, arith.ULT, size, smallest), s.int(0, it), size)
	}
	r := s.bitcast(s.binary("ori", size, sign), wide.Type)
	if mantissa > 0 { // without a mantissa NaN cannot be told from an infinity
		r = s.sel(arith.CmpF(s.Builder, arith.UNO, wide, wide), wide, r)
	}
	return s.narrow(r, t)
}

// bitcastConvert reinterprets bits. Between widths the last dimension holds the parts, the
// lowest bits first.
func (c *block) bitcastConvert(op *mlir.Operation) {
	x := c.in(op)[0]
	from, to := operandElem(op, 0), signlessElem(resultElem(op))
	have, want := mlir.BitWidth(from), mlir.BitWidth(resultElem(op))
	if isNarrow(from) || isNarrow(resultElem(op)) {
		c.fail("is not supported for elements of 2 or 4 bits")
	}
	if isTiny(from) || isTiny(resultElem(op)) {
		c.bitcastTiny(op)
		return
	}
	out := op.Result().Type.(mlir.TensorType).Shape
	if have == want {
		c.elementwise(op)
		return
	}
	wideInt, partInt := mlir.IntegerType{Width: max(have, want)}, mlir.IntegerType{Width: min(have, want)}
	if have > want {
		c.set(op, c.generic(to, out, []operand{{x, mlir.Projection(len(out), shape.UpTo(len(out)-1)...)}},
			func(s scalars, e []*mlir.Value) *mlir.Value {
				place := s.cast(s.index(len(out)-1), wideInt)
				part := s.binary("shrui", s.bitcast(e[0], wideInt),
					s.binary("muli", place, s.int(int64(want), wideInt)))
				return s.bitcast(arith.TruncI(s.Builder, part, partInt), to)
			}))
		return
	}
	rank := len(out)
	var parts []operand
	for i := range want / have {
		m := mlir.Identity(rank)
		m.Results = append(m.Results, mlir.Const(i))
		parts = append(parts, operand{x, m})
	}
	c.set(op, c.generic(to, out, parts, func(s scalars, e []*mlir.Value) *mlir.Value {
		whole := s.int(0, wideInt)
		for i, v := range e {
			part := arith.Cast(s.Builder, "extui", s.bitcast(v, partInt), wideInt)
			whole = s.binary("ori", whole, s.binary("shli", part, s.int(int64(i*have), wideInt)))
		}
		return s.bitcast(whole, to)
	}))
}
