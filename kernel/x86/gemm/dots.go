package gemm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
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
	column := s.b.Col * s.b.DType.Size()
	s.accumulate(sums[:lanes], spare, func(i int) asm.Mem { return asm.At(asm.R8, asm.RAX, s.step(), i*column) }, true)
	add := map[dtype.DType]asm.Op{dtype.F32: asm.VADDPS, dtype.F64: asm.VADDPD, dtype.I32: asm.VPADDD, dtype.I64: asm.VPADDQ}[k.arith.acc]
	rows := transpose.Emit(a, sums, spare, k.arith.acc.Size())
	for n := len(rows) / 2; n > 0; n /= 2 {
		for i := range n {
			a.Emit(add, rows[i], rows[i], rows[i+n])
		}
	}
	if rows[0] != sums[0] {
		a.Emit(asm.VMOVAPS, sums[0], rows[0])
	}
	s.close(loop, 1, k.lanes, k.lanes*k.b.Col*k.b.DType.Size())
	return entry
}

// step is how many bytes of the matrix one of the index in RAX is, which counts the bytes of the narrower operand.
func (s *stream) step() int { return max(1, s.b.DType.Size()/s.plan.a.DType.Size()) }

// accumulate emits sums[i] += x·B[…, i], a vector of the depth at a time, where inB is column i at the index in RAX. Adjacent columns
// are runs too short for the processor to fetch the next ones ahead.
func (s *stream) accumulate(sums, spare []asm.Reg, inB func(i int) asm.Mem, adjacent bool) {
	a := s.a
	wide, narrow := s.widenings()
	as, bs := s.plan.a.DType.Size(), s.b.DType.Size()
	unit := min(as, bs) // of the offset in RAX
	x, y, temp := spare[0], spare[1], spare[2]
	inA := asm.At(asm.RSI, asm.RAX, as/unit, 0)
	a.Emit(asm.XOR, asm.RAX.Dword(), asm.RAX.Dword())
	full := s.k / s.lanes
	once := max(1, 64/(s.lanes*bs))                 // vectors of a line of the cache
	if full%once != 0 || narrow.from == narrow.to { // f32 comes fast enough
		once = 1
	}
	if full > 0 {
		a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(full/once))
		loop := a.Here()
		if adjacent && narrow.from != narrow.to && once*s.lanes*bs == 64 {
			for i := range sums {
				a.Emit(asm.PREFETCHT0, inB(i).Plus(len(sums)*s.b.Col*bs))
			}
		}
		for step := range once {
			wide.load(a, x, inA.Plus(step*s.lanes*as), 0)
			for i := range sums {
				from := inB(i).Plus(step * s.lanes * bs)
				if narrow.from == narrow.to {
					s.arith.multiply(a, sums[i], from, x, temp)
					continue
				}
				narrow.load(a, y, from, 0)
				s.arith.multiply(a, sums[i], x, y, temp)
			}
		}
		a.Emit(asm.ADD, asm.RAX, asm.Imm(once*s.lanes*unit))
		a.Emit(asm.DEC, asm.RCX)
		a.Emit(asm.JNE, loop)
	}
	rest := s.k % s.lanes
	if rest == 0 {
		return
	}
	load := func(w widening, r asm.Reg, m asm.Mem) {
		switch {
		case s.features.Level >= cpu.AVX512:
			w.widen(a, r, r.ZeroMask(asm.K(2)), m)
		case w.from != w.to:
			w.loadEnd(a, r, m, rest)
		default:
			a.Emit(asm.VMASKMOVPS, r, spare[3], m)
		}
	}
	if s.features.Level >= cpu.AVX512 {
		a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(1<<rest-1))
		a.Emit(asm.KMOVD, asm.K(2), asm.RCX.Dword())
	} else {
		a.Emit(asm.VMOVUPS, spare[3], a.Const(transpose.FirstBytes(s.bytes, rest*s.arith.acc.Size())))
	}
	load(wide, x, inA)
	for i := range sums {
		load(narrow, y, inB(i))
		s.arith.multiply(a, sums[i], x, y, temp)
	}
}
