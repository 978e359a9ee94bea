package gemm

import (
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/cpu"
	"github.com/go-acap/acap/kernel/x86/epilogue"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// emitDots emits the dot products of x with groups of as many columns as a vector has elements; of
// the group, the first lanes exist. One register sums each column; transposing them makes the last
// additions vertical.
func (k *streamer) emitDots(a *asm.Assembler, epi *epilogue.Epilogue, lanes int) int {
	s := &stream{
		streamer: k, a: a, epi: epi, bytes: k.features.Level.VectorBytes(), vecs: 1,
		tail: lanes % k.lanes,
	}
	entry := s.open()
	loop := a.Here()
	var sums, spare []asm.Reg
	for i := range k.lanes {
		sums = append(sums, s.vector(i))
		a.Emit(asm.VXORPS, sums[i], sums[i], sums[i])
		if i+k.lanes < k.features.Level.VectorRegisters() {
			spare = append(spare, s.vector(i+k.lanes))
		}
	}
	s.accumulate(sums[:lanes], spare)
	add := asm.VADDPS
	if k.arith.acc.Size() == 8 {
		add = asm.VADDPD
	}
	rows := transpose.Emit(a, sums, spare, k.arith.acc.Size())
	for n := len(rows) / 2; n > 0; n /= 2 {
		for i := range n {
			a.Emit(add, rows[i], rows[i], rows[i+n])
		}
	}
	if rows[0] != sums[0] {
		a.Emit(asm.VMOVAPS, sums[0], rows[0])
	}
	es := k.arith.acc.Size()
	s.close(loop, 1, k.lanes, k.lanes*k.b.Col*es)
	return entry
}

// accumulate emits sums[i] += x·B[…, i], a vector of the depth at a time.
func (s *stream) accumulate(sums, spare []asm.Reg) {
	a, es := s.a, s.arith.acc.Size()
	load, fma := asm.VMOVUPS, asm.VFMADD231PS
	if es == 8 {
		load, fma = asm.VMOVUPD, asm.VFMADD231PD
	}
	at := func(i int) asm.Mem { return asm.At(asm.R8, asm.RAX, 1, i*s.b.Col*es) }
	a.Emit(asm.XOR, asm.RAX.Dword(), asm.RAX.Dword())
	x := spare[0]
	if full := s.k / s.lanes; full > 0 {
		a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(full))
		loop := a.Here()
		a.Emit(load, x, asm.At(asm.RSI, asm.RAX, 1, 0))
		for i := range sums {
			a.Emit(fma, sums[i], x, at(i))
		}
		a.Emit(asm.ADD, asm.RAX, asm.Imm(s.bytes))
		a.Emit(asm.DEC, asm.RCX)
		a.Emit(asm.JNE, loop)
	}
	rest := s.k % s.lanes
	if rest == 0 {
		return
	}
	var loadRest func(r asm.Reg, m asm.Mem)
	if s.features.Level >= cpu.AVX512 {
		a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(1<<rest-1))
		a.Emit(asm.KMOVD, asm.K(2), asm.RCX.Dword())
		loadRest = func(r asm.Reg, m asm.Mem) { a.Emit(load, r.ZeroMask(asm.K(2)), m) }
	} else {
		mask := spare[1]
		a.Emit(asm.VMOVUPS, mask, a.Const(transpose.FirstBytes(s.bytes, rest*es)))
		loadRest = func(r asm.Reg, m asm.Mem) { a.Emit(asm.VMASKMOVPS, r, mask, m) }
	}
	loadRest(x, asm.At(asm.RSI, asm.RAX, 1, 0))
	for i := range sums {
		loadRest(spare[2], at(i))
		a.Emit(fma, sums[i], x, spare[2])
	}
}
