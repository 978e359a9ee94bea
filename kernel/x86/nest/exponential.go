package nest

import (
	"github.com/go-acap/acap/kernel/vector/function"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// underflow is where the exponential meets the least numbers of a kind.
type underflow struct {
	zero          float64 // eˣ is less than half of the least float
	normal, least float64 // eʳ·2ⁿ is normal from n = normal on; the least float is 2 to the power of -least
}

var underflows = map[kind]underflow{
	f32: {zero: -104, normal: -125, least: 149},
	f64: {zero: -746, normal: -1021, least: 1074},
}

// exp is eˣ with AVX-512. VSCALEF makes the limits from an infinite exponent even if the polynomial is NaN, so that x
// need not be clamped above.
func (c *code) exp(x operand) operand {
	n, p := function.Reduced(c, c.val(x))
	scale := pick(x.kind, asm.VSCALEFPS, asm.VSCALEFPD)
	return c.add(x.kind, instr{src: c.sources(c.operand(p), c.operand(n), x, dummy), temps: 1, masks: 2, early: true,
		emit: func(e *emitter, q *registers) {
			fine, done := e.a.Label(), e.a.Label()
			e.a.Emit(pick(x.kind, asm.VCMPPS, asm.VCMPPD), q.k[0], q.s[1],
				e.constMemory(cFloat(x.kind, underflows[x.kind].normal)), asm.Imm(less))
			e.a.Emit(asm.KORTESTW, q.k[0], q.k[0])
			e.a.Emit(asm.JE, fine)
			e.scaleDown(x.kind, q)
			e.a.Emit(asm.JMP, done)
			e.a.Bind(fine)
			e.a.Emit(scale, q.d, q.s[0], q.s[1])
			e.a.Bind(done)
		}})
}

// scaleDown emits the scaling of a polynomial by 2ⁿ for the exponential of x, where the
// first mask says which results are below the normal floats. The processor takes more
// than a hundred cycles for a vector with subnormal results. Their bits are those of an
// integer, the multiple of the least float that they are, to which a conversion rounds as
// well. Still less is zero, also where the polynomial of a huge number has overflown.
func (e *emitter) scaleDown(k kind, q *registers) {
	limits := underflows[k]
	scale, compare := pick(k, asm.VSCALEFPS, asm.VSCALEFPD), pick(k, asm.VCMPPS, asm.VCMPPD)
	normal, least := e.constMemory(cFloat(k, limits.normal)), e.constMemory(cFloat(k, limits.least))
	p, n, x, low, some := q.reg(0), q.reg(1), q.s[2], q.k[0], q.k[1]
	bits := q.t[0].As(q.d.Bytes())
	e.a.Emit(compare, some, x, e.constMemory(cFloat(k, limits.zero)), asm.Imm(notLess))
	e.a.Emit(pick(k, asm.VADDPS, asm.VADDPD), bits, n, least)
	e.a.Emit(asm.KANDW, low, low, some)
	e.a.Emit(scale, bits.ZeroMask(low), p, bits) // of no others, which may underflow in turn
	e.a.Emit(pick(k, asm.VCVTPS2DQ, asm.VCVTPD2QQ), bits, bits)
	e.a.Emit(pick(k, asm.VMAXPS, asm.VMAXPD), q.d, n, normal)
	e.a.Emit(scale, q.d.ZeroMask(some), p, q.d)
	e.a.Emit(pick(k, asm.VMOVAPS, asm.VMOVAPD), q.d.Mask(low), bits)
}
