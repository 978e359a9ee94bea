package gemm

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// dotStreams is how many columns are read at once by dot products. They are far from each other, and each stream goes on from a column to
// the next: a processor fetches several long streams ahead by itself. Their sums lie in scratch memory, from where the epilogue takes them.
const dotStreams = 4

// far reports whether dot products read columns that are far from each other.
func (k *streamer) far() bool {
	return k.columns && k.features.Level == cpu.AVX2 && k.arith.acc == dtype.F32
}

// emitDotStreams emits the dot products of x with columns of four streams. The arguments say how many columns a stream has in this call,
// the bytes from a stream to the next and, as tiles, those between their sums.
func (k *streamer) emitDotStreams(a *asm.Assembler) int {
	s := &stream{streamer: k, a: a, epi: new(epilogue.Epilogue), bytes: k.features.Level.VectorBytes(), vecs: 1}
	entry := s.open()
	columns := []asm.Reg{asm.R8, asm.R9, asm.R10, asm.R12}
	a.Emit(asm.MOV, asm.RBX, asm.Ptr(asm.RDI, argPacked))
	for i := 1; i < dotStreams; i++ {
		a.Emit(asm.LEA, columns[i], asm.At(columns[i-1], asm.RBX, 1, 0))
	}
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, argBase+8*(ports-1)))
	a.Emit(asm.MOV, asm.RBX, asm.Ptr(asm.RDI, argTiles))
	a.Emit(asm.LEA, asm.R13, asm.At(asm.RBX, asm.RBX, 2, 0))
	loop := a.Here()
	var sums, spare []asm.Reg
	for i := range 2 * dotStreams {
		sums, spare = append(sums, s.vector(i)), append(spare, s.vector(2*dotStreams+i))
	}
	for _, r := range sums[:dotStreams] {
		a.Emit(asm.VXORPS, r, r, r)
	}
	s.accumulate(sums[:dotStreams], spare, func(i int) asm.Mem { return asm.At(columns[i], asm.RAX, s.step(), 0) }, false)
	s.addLanes(sums)
	to := asm.RDX
	for i, m := range []asm.Mem{asm.Ptr(to, 0), asm.At(to, asm.RBX, 1, 0), asm.At(to, asm.RBX, 2, 0), asm.At(to, asm.R13, 1, 0)} {
		a.Emit(asm.VEXTRACTPS, m, sums[0].As(16), asm.Imm(i))
	}
	a.Emit(asm.ADD, asm.RDX, asm.Imm(4))
	for _, r := range columns {
		a.Emit(asm.ADD, r, asm.Imm(s.b.Col*s.b.DType.Size()))
	}
	a.Emit(asm.DEC, asm.R11)
	a.Emit(asm.JNE, loop)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

// addLanes emits the sums of the lanes of four registers to the lanes of the first, halves upon halves as [streamer.emitDots] adds them. It
// overwrites the four registers behind them.
func (s *stream) addLanes(r []asm.Reg) {
	x := func(i int) asm.Reg { return r[i].As(16) }
	for i := range dotStreams {
		s.a.Emit(asm.VEXTRACTI128, x(4+i), r[i], asm.Imm(1))
		s.a.Emit(asm.VADDPS, x(i), x(i), x(4+i))
	}
	for i := 0; i < dotStreams; i += 2 {
		s.a.Emit(asm.VUNPCKLPS, x(4+i), x(i), x(i+1))
		s.a.Emit(asm.VUNPCKHPS, x(5+i), x(i), x(i+1))
		s.a.Emit(asm.VADDPS, x(i), x(4+i), x(5+i))
	}
	s.a.Emit(asm.VMOVLHPS, x(4), x(0), x(2))
	s.a.Emit(asm.VMOVHLPS, x(5), x(2), x(0))
	s.a.Emit(asm.VADDPS, x(0), x(4), x(5))
}

// emitFinish emits the epilogue of sums that wait, for groups of as many columns as a vector has elements; of the group, the first lanes
// exist.
func (k *streamer) emitFinish(a *asm.Assembler, epi *epilogue.Epilogue, lanes int) int {
	s := &stream{streamer: k, a: a, epi: epi, bytes: k.features.Level.VectorBytes(), vecs: 1, tail: lanes % k.lanes}
	entry := s.open()
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, argBase+8*(ports-1)))
	loop := a.Here()
	a.Emit(asm.VMOVUPS, s.vector(0), asm.Ptr(asm.RSI, 0))
	a.Emit(asm.ADD, asm.RSI, asm.Imm(s.bytes))
	s.close(loop, 1, k.lanes, 0)
	return entry
}

// runDotStreams computes dot products of some columns, a part of each stream in each call, and then the epilogue. What four streams do not
// share evenly are streams of one column, all the same.
func (g *code) runDotStreams(w *worker, args *kernel.Args, entry, first, count int, a, b uintptr) {
	column := g.b.Col * g.b.DType.Size()
	g.ports(w, args, stage{last: true}, entry, 0, 0, first, 0)
	raw := w.args.base[ports-1]
	sums := func(done, columns, streams int) {
		w.args.a, w.args.b, w.args.panels = a, b+uintptr(done*column), columns
		w.args.packed, w.args.tiles, w.args.base[ports-1] = uintptr(streams*column), 4*streams, raw+uintptr(4*done)
		g.exec.CallAt(g.streamer.sums, unsafe.Pointer(&w.args))
	}
	each, atOnce := count/dotStreams, max(1, (1<<20)/(g.k*dotStreams))
	for done := 0; done < each; done += atOnce {
		sums(done, min(atOnce, each-done), each)
	}
	for done := each * dotStreams; done < count; done++ {
		sums(done, 1, 0)
	}
	if g.deferred != nil {
		return
	}
	w.args.base[ports-1] = raw
	if w.args.panels = count / g.lanes; w.args.panels > 0 {
		g.exec.CallAt(g.streamer.entry[3][0], unsafe.Pointer(&w.args))
	}
	if rest := count % g.lanes; rest > 0 {
		w.args.panels = 1
		g.ports(w, args, stage{last: true}, entry, 0, 0, first, count-rest)
		g.exec.CallAt(g.streamer.entry[3][1], unsafe.Pointer(&w.args))
	}
}
