package gemm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/cpu"
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

// masked returns r as the destination of a load of tail elements, 0 for all, under mask K1.
func (w widening) masked(r asm.Reg, tail int) asm.Reg {
	if tail > 0 && w.features.Level >= cpu.AVX512 {
		return r.ZeroMask(asm.K(1))
	}
	return r
}

// load emits the load of a vector of elements, the first tail of them if tail is not 0. With AVX2,
// only equal types have tails, and they overwrite register 15.
func (w widening) load(a *asm.Assembler, r asm.Reg, m asm.Mem, tail int) {
	d := w.masked(r, tail)
	switch {
	case w.from == w.to && tail > 0 && w.features.Level < cpu.AVX512:
		mask := asm.Vec(r.Bytes(), 15)
		a.Emit(asm.VMOVUPS, mask, a.Const(transpose.FirstBytes(r.Bytes(), tail*w.from.Size())))
		a.Emit(asm.VMASKMOVPS, r, mask, m)
	case w.from == w.to && w.from.Size() == 8:
		a.Emit(asm.VMOVUPD, d, m)
	case w.from == w.to:
		a.Emit(asm.VMOVUPS, d, m)
	case w.from == dtype.BF16:
		a.Emit(asm.VPMOVZXWD, d, m)
		a.Emit(asm.VPSLLD, r, r, asm.Imm(16))
	case w.from == dtype.F16:
		a.Emit(asm.VCVTPH2PS, d, m)
	case w.from == dtype.I8:
		a.Emit(asm.VPMOVSXBD, d, m)
	case w.from == dtype.U8 || w.from == dtype.Bool:
		a.Emit(asm.VPMOVZXBD, d, m)
	default:
		a.Emit(asm.VPMOVSXWD, d, m)
	}
}

// emitRow emits a loop that widens vectors from [RDI] to [RDI+8], [RDI+16] of them.
func (w widening) emitRow(a *asm.Assembler) (entry int) {
	a.Align(64)
	entry = a.Len()
	bytes := w.features.Level.VectorBytes()
	r := asm.Vec(bytes, 0)
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, 0))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, 8))
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, 16))
	loop := a.Here()
	w.load(a, r, asm.Ptr(asm.RSI, 0), 0)
	a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, 0), r)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(bytes/w.to.Size()*w.from.Size()))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(bytes))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}
