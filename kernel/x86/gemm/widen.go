package gemm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// widening is the load of vectors of one type as another that is as long or longer.
type widening struct {
	from, to dtype.DType
	features cpu.Features
}

// possible reports whether load can emit it.
func (w widening) possible() bool {
	if w.from == w.to {
		return true
	}
	switch w.to {
	case dtype.F32:
		return w.from == dtype.BF16 || w.from == dtype.F16
	case dtype.I16:
		return w.from == dtype.I8 || w.from == dtype.U8
	case dtype.I32:
		switch w.from {
		case dtype.I8, dtype.U8, dtype.Bool, dtype.I16:
			return true
		}
	}
	return false
}

// masked returns r as the destination of a load of tail elements, 0 for all, under mask K1.
func (w widening) masked(r asm.Reg, tail int) asm.Reg {
	if tail > 0 && w.features.Level >= cpu.AVX512 {
		return r.ZeroMask(asm.K(1))
	}
	return r
}

// load emits the load of a vector of elements, the first tail of them if tail is not 0. With AVX2, a
// tail overwrites register 15 where the types are equal; where they are not, as many elements as fill
// the vector must lie before the end of the tail.
func (w widening) load(a *asm.Assembler, r asm.Reg, m asm.Mem, tail int) {
	switch {
	case tail == 0 || w.features.Level >= cpu.AVX512:
		w.widen(a, r, w.masked(r, tail), m)
	case w.from == w.to:
		mask := asm.Vec(r.Bytes(), 15)
		a.Emit(asm.VMOVUPS, mask, a.Const(transpose.FirstBytes(r.Bytes(), tail*w.from.Size())))
		a.Emit(asm.VMASKMOVPS, r, mask, m)
	default:
		w.loadEnd(a, r, m, tail)
	}
}

// endsInside reports whether a tail of so many elements at the end of a run can be loaded.
func (w widening) endsInside(run int) bool {
	lanes := w.features.Level.VectorBytes() / w.to.Size()
	return w.features.Level >= cpu.AVX512 || w.from == w.to || run%lanes == 0 || run > lanes
}

// loadEnd emits the load of a tail by a vector that ends with it, whose first elements are shifted out.
func (w widening) loadEnd(a *asm.Assembler, r asm.Reg, m asm.Mem, tail int) {
	before := (r.Bytes()/w.to.Size() - tail) * w.from.Size()
	x, move := r.As(16), asm.VMOVDQU
	if r.Bytes()/w.to.Size()*w.from.Size() == 8 {
		move = asm.VMOVQ
	}
	a.Emit(move, x, m.Plus(-before))
	a.Emit(asm.VPSRLDQ, x, x, asm.Imm(before))
	w.widen(a, r, r, x)
}

// widen emits the conversion of src, memory or a register of which the first part counts, to r; d is r,
// or r under a mask.
func (w widening) widen(a *asm.Assembler, r, d asm.Reg, src asm.Operand) {
	switch {
	case w.from == w.to && w.from.Size() == 8:
		a.Emit(asm.VMOVUPD, d, src)
	case w.from == w.to:
		a.Emit(asm.VMOVUPS, d, src)
	case w.from == dtype.BF16:
		a.Emit(asm.VPMOVZXWD, d, src)
		a.Emit(asm.VPSLLD, r, r, asm.Imm(16))
	case w.from == dtype.F16:
		a.Emit(asm.VCVTPH2PS, d, src)
	case w.from == dtype.I8 && w.to == dtype.I16:
		a.Emit(asm.VPMOVSXBW, d, src)
	case w.to == dtype.I16:
		a.Emit(asm.VPMOVZXBW, d, src)
	case w.from == dtype.I8:
		a.Emit(asm.VPMOVSXBD, d, src)
	case w.from == dtype.U8 || w.from == dtype.Bool:
		a.Emit(asm.VPMOVZXBD, d, src)
	default:
		a.Emit(asm.VPMOVSXWD, d, src)
	}
}

// broadcast emits the load of one element to all elements of r.
func (w widening) broadcast(a *asm.Assembler, r asm.Reg, m asm.Mem) {
	part := r.As(max(16, r.Bytes()/w.to.Size()*w.from.Size()))
	switch {
	case w.from == w.to && w.from.Size() == 8:
		a.Emit(asm.VBROADCASTSD, r, m)
	case w.from == w.to:
		a.Emit(asm.VBROADCASTSS, r, m)
	case w.from.Size() == 1:
		a.Emit(asm.VPBROADCASTB, part, m)
		w.widen(a, r, r, part)
	default:
		a.Emit(asm.VPBROADCASTW, part, m)
		w.widen(a, r, r, part)
	}
}

// mover is the transposition of lines of elements that are widened on the way, lines that lie stride
// elements apart, each of length elements.
func (w widening) mover(lines, length, stride int) transpose.Mover {
	return transpose.Mover{
		Lines: lines, Length: length * w.to.Size(), Cell: w.to.Size(), Source: w.from.Size(), SrcStride: stride * w.from.Size(),
		Load: w.load,
	}
}

// pairBytes are how many elements of each of two lines of bytes a vector of AVX2 has as pairs of 16 bits.
const pairBytes = 8

// pairsEndInside reports whether a tail of so many elements at the end of a run can be loaded as pairs.
func pairsEndInside(run int) bool { return run%pairBytes == 0 || run > pairBytes }

// pairMover is the transposition of pairs of lines of bytes, lines that lie stride apart, each of length elements: the
// elements of a pair come to lie side by side, as 16 bits. Columns of the result lie to bytes apart. It is for AVX2.
func (w widening) pairMover(pairs, length, stride, to int) transpose.Mover {
	return transpose.Mover{
		Lines: pairs, Length: length * 2 * w.to.Size(), Cell: 2 * w.to.Size(), Source: 1, SrcStride: 2 * stride, DstStride: to,
		Load: func(a *asm.Assembler, r asm.Reg, m asm.Mem, tail int) {
			x, second := r.As(16), asm.Vec(16, 14) // which holds no line of the square
			before := (pairBytes - tail) % pairBytes
			a.Emit(asm.VMOVQ, x, m.Plus(-before))
			a.Emit(asm.VMOVQ, second, m.Plus(stride-before))
			a.Emit(asm.VPUNPCKLBW, x, x, second)
			if before > 0 {
				a.Emit(asm.VPSRLDQ, x, x, asm.Imm(2*before))
			}
			w.widen(a, r, r, x)
		},
	}
}

// Mover returns the transposition of lines of elements of type from as elements of type to, lines that lie
// stride elements apart, each of length elements, or nil if there is no code for it.
func Mover(from, to dtype.DType, lines, length, stride int, f cpu.Features) *transpose.Mover {
	w := widening{from, to, f}
	if from == to {
		return &transpose.Mover{Lines: lines, Length: length * to.Size(), Cell: to.Size(), SrcStride: stride * to.Size()}
	}
	if !w.possible() || !w.endsInside(length) {
		return nil
	}
	m := w.mover(lines, length, stride)
	return &m
}
