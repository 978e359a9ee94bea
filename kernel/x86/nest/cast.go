package nest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/asm"
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

// bitcast keeps the bits of instruction n.
func (l *lowering) bitcast(to, from dtype.DType, n int) operand {
	if i := &l.body[n]; i.Op == kernel.Const {
		return l.constant(to, i.Imm)
	}
	x := l.operand(n)
	switch from.Size() {
	case 1:
		return l.wrap(to, x)
	case 2:
		return l.fromHalfBits(to, l.halfBits(from, x))
	}
	return as(kindOf(to), x)
}

// halfBits gives the bits of a value of 2 bytes in the low half of every lane.
func (s *sequence) halfBits(t dtype.DType, x operand) operand {
	switch t {
	case dtype.BF16:
		return s.shiftRight(as(i32, x), 16)
	case dtype.F16:
		return s.add(i32, instr{src: s.sources(x, dummy), emit: func(e *emitter, r *registers) {
			half := halfOf(r.d)
			e.a.Emit(asm.VCVTPS2PH, half, r.s[0], asm.Imm(0))
			e.a.Emit(asm.VPMOVZXWD, r.d, half)
		}})
	}
	return x
}

// fromHalfBits is the inverse of halfBits; the high halves do not matter.
func (s *sequence) fromHalfBits(t dtype.DType, x operand) operand {
	switch {
	case t == dtype.BF16:
		return as(f32, s.shiftLeft(x, 16))
	case t != dtype.F16:
		return s.wrap(t, x)
	case s.avx512:
		return s.add(f32, instr{src: s.sources(x, dummy), emit: func(e *emitter, r *registers) {
			half := halfOf(r.d)
			e.a.Emit(asm.VPMOVDW, half, r.s[0])
			e.a.Emit(asm.VCVTPH2PS, r.d, half)
		}})
	}
	x = s.and(x, cBits(i32, 0xffff)) // VPACKUSDW saturates
	return s.add(f32, instr{src: s.sources(x, dummy), temps: 1, emit: func(e *emitter, r *registers) {
		low, high := r.reg(0).As(16), r.reg(0).As(16)
		if r.d.Bytes() > 16 {
			high = r.t[0].As(16)
			e.a.Emit(asm.VEXTRACTF128, high, r.s[0], asm.Imm(1))
		}
		e.a.Emit(asm.VPACKUSDW, r.d.As(16), low, high)
		e.a.Emit(asm.VCVTPH2PS, r.d, r.d.As(16))
	}})
}

// halfOf is the register of half as many bytes, for elements of 2 bytes.
func halfOf(r asm.Reg) asm.Reg { return r.As(max(r.Bytes()/2, 16)) }
