package nest

import (
	"math/bits"

	"github.com/go-acap/acap/device/kernel/x86/asm"
	"github.com/go-acap/acap/tensor/dtype"
)

// gather appends the read of a port at the current point plus an offset in every
// lane. An element outside the port sets the fault and gives 0. AVX-512 alone has
// the comparisons; elements of 1 and 2 bytes cannot be gathered.
func (g *generator) gather(s *sequence, number int, offset operand) operand {
	p := g.ports[number]
	length := g.n.Access[number].Len
	if !s.avx512 || p.size() < 4 || !g.inside(number) {
		unsupported()
	}
	g.gathered = append(g.gathered, number)
	word := 8 * (wordBase + number)
	return s.add(kindOf(p.dtype), instr{src: []operand{offset, dummy}, temps: 1, masks: 2, early: true,
		moves: !g.invariant(number),
		emit: func(e *emitter, r *registers) {
			at := r.t[0]
			e.a.Emit(asm.LEA, asm.RAX, e.element(p))
			e.a.Emit(asm.SUB, asm.RAX, asm.Ptr(argsReg, word))
			e.a.Emit(asm.SAR, asm.RAX, asm.Imm(bits.TrailingZeros(uint(p.size()))))
			e.a.Emit(asm.VPBROADCASTQ, at, asm.RAX)
			e.a.Emit(asm.VPADDQ, at, at, r.s[0])
			if p.lane != 0 && !e.single {
				e.a.Emit(asm.VPADDQ, at, at, e.a.ConstU64(steps(p.lane, e.lanes)...))
			}
			limit := e.a.ConstU64(uint64(length)).Bcast()
			good, bad := r.k[0], r.k[1]
			if e.tail > 0 && !e.single {
				good, bad = good.Mask(tailMask), bad.Mask(tailMask)
			}
			fine := e.a.Label()
			e.a.Emit(asm.VPCMPUQ, good, at, limit, asm.Imm(1))
			e.a.Emit(asm.VPCMPUQ, bad, at, limit, asm.Imm(5))
			e.a.Emit(asm.KORTESTB, r.k[1], r.k[1])
			e.a.Emit(asm.JE, fine)
			e.a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(1))
			e.a.Emit(asm.MOV, asm.Ptr(argsReg, 8*wordFault), asm.RAX)
			e.a.Bind(fine)
			e.a.Emit(asm.MOV, asm.RAX, asm.Ptr(argsReg, word))
			e.zero(r.d)
			op := asm.VPGATHERQD
			if p.size() == 8 {
				op = asm.VPGATHERQQ
			}
			e.a.Emit(op, r.d.Mask(r.k[0]), asm.At(asm.RAX, at, p.size(), 0))
		}})
}

// steps are the multiples of stride.
func steps(stride, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(i * stride)
	}
	return out
}

// inside reports whether the affine part of an access stays within its port, so
// that its addresses are addresses of the buffer.
func (g *generator) inside(number int) bool {
	a := &g.n.Access[number]
	lo, hi := a.Offset, a.Offset
	for loop := range len(g.n.Outer) + len(g.n.Inner) {
		if reach := g.stride(number, loop) * (g.extent(loop) - 1); reach < 0 {
			lo += reach
		} else {
			hi += reach
		}
	}
	return lo >= 0 && hi < a.Len && a.DType != dtype.Bool
}
