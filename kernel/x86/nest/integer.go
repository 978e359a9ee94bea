package nest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// integer appends an operation on integers of type t.
func (l *lowering) integer(op kernel.Op, t dtype.DType, x, y operand) operand {
	switch op {
	case kernel.Add:
		return l.plus(x, y)
	case kernel.Sub:
		return l.minus(x, y)
	case kernel.Mul:
		return l.product(x, y)
	case kernel.Div, kernel.Rem, kernel.FloorDiv, kernel.Mod:
		return l.divide(op, t, x, y)
	case kernel.Pow:
		return l.integerPower(x, y)
	case kernel.Min, kernel.MinNum:
		return l.extremeInteger(false, x, y)
	case kernel.Max, kernel.MaxNum:
		return l.extremeInteger(true, x, y)
	case kernel.And:
		return l.and(x, y)
	case kernel.Or:
		return l.or(x, y)
	case kernel.Xor:
		return l.xor(x, y)
	case kernel.Not:
		return l.xor(x, allOnes(x.kind))
	case kernel.Neg:
		return l.minus(l.splat(cBits(x.kind, 0)), x)
	case kernel.Abs:
		return l.size(x)
	case kernel.CountOnes:
		return l.countOnes(t, x)
	case kernel.Shl:
		return l.rvm(pick(x.kind, 0, 0, asm.VPSLLVD, asm.VPSLLVQ), x.kind, x, y)
	case kernel.Shr:
		return l.shiftRightBy(t, x, y)
	}
	unsupported()
	return x
}

func allOnes(k kind) operand { return cBits(k, math.MaxUint64>>(64-8*k.size())) }

// product is x·y of any kind. AVX2 multiplies 64 bits by halves.
func (s *sequence) product(x, y operand) operand {
	if x.kind != i64 || s.avx512 {
		return s.times(x, y)
	}
	if y.constant() {
		y = s.splat(y)
	}
	cross := s.rvm(asm.VPMULUDQ, i64, s.shiftRight(x, 32), y)
	cross = s.plus(cross, s.rvm(asm.VPMULUDQ, i64, x, s.shiftRight(y, 32)))
	return s.plus(s.rvm(asm.VPMULUDQ, i64, x, y), s.shiftLeft(cross, 32))
}

// extremeInteger is the least or the greatest of two integers.
func (s *sequence) extremeInteger(largest bool, x, y operand) operand {
	if x.kind == i64 && !s.avx512 {
		p := less
		if largest {
			p = greaterThan
		}
		if y.constant() {
			y = s.splat(y)
		}
		return s.blend(s.compare(p, x, y), y, x)
	}
	if largest {
		return s.greater(x, y)
	}
	return s.lesser(x, y)
}

// size is |x| of integers; that of the least number is itself.
func (s *sequence) size(x operand) operand {
	if x.kind == i64 && !s.avx512 {
		return s.negateBy(x, s.negative(x))
	}
	return s.rm(pick(x.kind, 0, 0, asm.VPABSD, asm.VPABSQ), x.kind, x)
}

// negative is -1 where x < 0, else 0.
func (s *sequence) negative(x operand) operand {
	if x.kind == i64 && !s.avx512 {
		return s.rvm(asm.VPCMPGTQ, i64, s.splat(cBits(i64, 0)), x)
	}
	return s.shiftSigned(x, 8*x.kind.size()-1)
}

// negateBy is -x where m is -1, x where it is 0.
func (s *sequence) negateBy(x, m operand) operand { return s.minus(s.xor(x, m), m) }

// shiftRightBy keeps the sign of signed numbers; AVX2 does it to their complements.
func (s *sequence) shiftRightBy(t dtype.DType, x, y operand) operand {
	switch {
	case t == dtype.U8:
		return s.rvm(asm.VPSRLVD, i32, x, y)
	case x.kind == i64 && !s.avx512:
		m := s.negative(x)
		return s.xor(s.rvm(asm.VPSRLVQ, i64, s.xor(x, m), y), m)
	}
	return s.rvm(pick(x.kind, 0, 0, asm.VPSRAVD, asm.VPSRAVQ), x.kind, x, y)
}

// countOnes adds the bits of ever larger fields.
func (s *sequence) countOnes(t dtype.DType, x operand) operand {
	k := x.kind
	if bits := 8 * t.Size(); bits < 32 {
		x = s.and(x, cBits(k, 1<<bits-1))
	}
	field := func(pattern uint64) operand { return cBits(k, pattern>>(64-8*k.size())) }
	x = s.minus(x, s.and(s.shiftRight(x, 1), field(0x5555555555555555)))
	pairs := field(0x3333333333333333)
	x = s.plus(s.and(x, pairs), s.and(s.shiftRight(x, 2), pairs))
	x = s.and(s.plus(x, s.shiftRight(x, 4)), field(0x0f0f0f0f0f0f0f0f))
	for n := 8; n < 8*k.size(); n *= 2 {
		x = s.plus(x, s.shiftRight(x, n))
	}
	return s.and(x, cBits(k, 127))
}

// integerPower is xʸ by squaring: in a loop, or straight for a constant power. A
// negative power is 0 but for ±1.
func (s *sequence) integerPower(x, y operand) operand {
	if y.constant() && int64(y.bits) >= 0 && (y.kind == i64 || int32(y.bits) >= 0) {
		return s.constantPower(x, y.bits)
	}
	if y.constant() {
		y = s.splat(y)
	}
	one := cBits(y.kind, 1)
	m := s.negative(y)
	// The powers of ±1 depend on the last bit alone.
	n := s.xor(y, s.and(m, s.xor(y, s.and(y, one))))
	r := s.powerLoop(x, n)
	unit := s.compare(equal, s.size(x), one)
	kept := s.blend(unit, s.splat(cBits(y.kind, 0)), r)
	return s.xor(r, s.and(m, s.xor(r, kept)))
}

func (s *sequence) constantPower(x operand, n uint64) operand {
	if n == 0 {
		return s.splat(cBits(x.kind, 1))
	}
	result, first := x, true
	for ; n != 0; n >>= 1 {
		switch {
		case n&1 != 0 && first:
			result, first = x, false
		case n&1 != 0:
			result = s.product(result, x)
		}
		if n > 1 {
			x = s.product(x, x)
		}
	}
	return result
}

// powerLoop multiplies until the powers of all lanes are used up.
func (s *sequence) powerLoop(x, n operand) operand {
	k := x.kind
	return s.add(k, instr{src: s.sources(x, n, dummy), temps: 5, masks: 1, early: true,
		emit: func(e *emitter, r *registers) {
			var t [5]asm.Reg
			for i := range t {
				t[i] = r.t[i].As(e.bytes(k))
			}
			base, rest, factor := t[0], t[1], t[2]
			shift := pick(k, 0, 0, asm.VPSRLD, asm.VPSRLQ)
			e.a.Emit(asm.VMOVAPS, base, r.s[0])
			e.a.Emit(asm.VMOVAPS, rest, r.s[1])
			e.loadConst(r.d, cBits(k, 1))
			step := e.a.Here()
			e.product(k, factor, r.d, base, t[3:])
			e.keepEven(k, r, rest, factor, t[3])
			e.product(k, factor, base, base, t[3:])
			e.a.Emit(asm.VMOVAPS, base, factor)
			e.a.Emit(shift, rest, rest, asm.Imm(1))
			if e.avx512 {
				e.a.Emit(pick(k, 0, 0, asm.VPTESTMD, asm.VPTESTMQ), r.k[0], rest, rest)
				e.a.Emit(asm.KORTESTW, r.k[0], r.k[0])
			} else {
				e.a.Emit(asm.VPTEST, rest, rest)
			}
			e.a.Emit(asm.JNE, step)
		}})
}

// keepEven puts the product into r.d where rest is odd.
func (e *emitter) keepEven(k kind, r *registers, rest, product, t asm.Reg) {
	bits := asm.Imm(8*k.size() - 1)
	e.a.Emit(pick(k, 0, 0, asm.VPSLLD, asm.VPSLLQ), t, rest, bits)
	if e.avx512 {
		e.a.Emit(pick(k, 0, 0, asm.VPMOVD2M, asm.VPMOVQ2M), r.k[0], t)
		e.a.Emit(pick(k, 0, 0, asm.VPBLENDMD, asm.VPBLENDMQ), r.d.Mask(r.k[0]), r.d, product)
		return
	}
	e.a.Emit(pick(k, 0, 0, asm.VBLENDVPS, asm.VBLENDVPD), r.d, r.d, product, t)
}

// product emits d = a·b of integers; d is none of the others.
func (e *emitter) product(k kind, d, a, b asm.Reg, t []asm.Reg) {
	if k == i32 || e.avx512 {
		e.a.Emit(pick(k, 0, 0, asm.VPMULLD, asm.VPMULLQ), d, a, b)
		return
	}
	e.a.Emit(asm.VPSRLQ, t[0], a, asm.Imm(32))
	e.a.Emit(asm.VPMULUDQ, t[0], t[0], b)
	e.a.Emit(asm.VPSRLQ, t[1], b, asm.Imm(32))
	e.a.Emit(asm.VPMULUDQ, t[1], t[1], a)
	e.a.Emit(asm.VPADDQ, t[0], t[0], t[1])
	e.a.Emit(asm.VPSLLQ, t[0], t[0], asm.Imm(32))
	e.a.Emit(asm.VPMULUDQ, d, a, b)
	e.a.Emit(asm.VPADDQ, d, d, t[0])
}
