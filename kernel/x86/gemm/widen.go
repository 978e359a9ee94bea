package gemm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/emit"
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
	case dtype.I32:
		switch w.from {
		case dtype.I8, dtype.U8, dtype.Bool, dtype.I16:
			return true
		}
	}
	return false
}

// masked returns r as the destination of a load of tail elements, 0 for all, under the mask of the tail.
func (w widening) masked(r asm.Reg, tail int) asm.Reg {
	if tail > 0 && w.features.Level >= cpu.AVX512 {
		return r.ZeroMask(emit.Tail)
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
