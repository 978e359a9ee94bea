package nest

import (
	"math"

	"github.com/go-acap/acap/device/kernel/x86/asm"
	"github.com/go-acap/acap/tensor/dtype"
)

// cast converts the value of instruction n.
func (l *lowering) cast(to, from dtype.DType, n int) operand {
	x := l.operand(n)
	if to == from {
		return x
	}
	if to == dtype.Bool {
		return l.compare(notEqual, x, cBits(x.kind, 0))
	}
	if from == dtype.Bool {
		return l.fromBool(to, x)
	}
	y := l.convert(kindOf(to), x)
	if to.IsFloat() {
		return l.roundHalf(to, y)
	}
	return l.wrap(to, y)
}

func (s *sequence) fromBool(to dtype.DType, x operand) operand {
	switch k := kindOf(to); k {
	case f32:
		return as(f32, s.and(x, cF32(1)))
	case i32:
		return s.and(x, cBits(i32, 1))
	default:
		one := cBits(k, 1)
		if k == f64 {
			one = cBits(k, math.Float64bits(1))
		}
		return s.and(s.rm(asm.VPMOVSXDQ, k, x), one)
	}
}

// convert changes the kind of x.
func (s *sequence) convert(to kind, x operand) operand {
	switch {
	case x.kind == to:
		return x
	case to == i64 && x.kind == f32:
		x = s.convert(f64, x)
		fallthrough
	case to == i64 && x.kind == f64:
		return s.doubleToInteger(x)
	case x.kind == i64 && to == f64:
		return s.toDouble(x)
	case x.kind == i64 && to == f32:
		return s.longToSingle(x)
	case x.kind == i64 && !s.avx512:
		return as(i32, s.narrowMask(x))
	}
	return s.rm(conversions[[2]kind{x.kind, to}], to, x)
}

var conversions = map[[2]kind]asm.Op{
	{f32, f64}: asm.VCVTPS2PD, {f64, f32}: asm.VCVTPD2PS,
	{i32, f32}: asm.VCVTDQ2PS, {i32, f64}: asm.VCVTDQ2PD,
	{f32, i32}: asm.VCVTTPS2DQ, {f64, i32}: asm.VCVTTPD2DQ,
	{i32, i64}: asm.VPMOVSXDQ, {i64, i32}: asm.VPMOVQD,
}

// bitcast keeps the bits.
func (l *lowering) bitcast(to, from dtype.DType, x operand) operand {
	switch {
	case x.constant():
		unsupported()
	case from.Size() == 4 || from.Size() == 8:
		return as(kindOf(to), x)
	case from.IsFloat() || to.IsFloat():
		unsupported()
	}
	return l.wrap(to, x)
}
