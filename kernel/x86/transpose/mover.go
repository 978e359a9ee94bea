package transpose

import (
	"unsafe"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// A Mover copies a matrix of cells, whose source lines lie SrcStride bytes apart, to its transpose,
// whose lines lie DstStride bytes apart. It writes whole vectors: a number of lines that does not
// fill the last one is filled up with zeros.
type Mover struct {
	Lines     int // number of lines of the source, or any number with the same last vector
	Length    int // bytes in a line; a partial cell at the end is filled up with zeros
	Cell      int // bytes of a cell, 4 or 8
	SrcStride int
	DstStride int

	// Load, if it is not nil, emits the load of cells of the source, of Source bytes each, as cells of the
	// result: the first tail of them, or a vector if tail is 0. It may overwrite no other register than mask K1's.
	Load   func(a *asm.Assembler, r asm.Reg, m asm.Mem, tail int)
	Source int

	side  int       // cells along the side of a square
	entry [2][2]int // by low square (0, 1) and short square: offset in the code
}

// Emit adds the code to a.
func (t *Mover) Emit(a *asm.Assembler, f cpu.Features) {
	t.side = f.Level.VectorBytes() / t.Cell
	if t.Load == nil {
		t.Source = t.Cell
	}
	for low := range 2 {
		rows := t.side
		if low == 1 {
			rows = t.Lines % t.side
		}
		for short := range 2 {
			bytes := t.side * t.Cell
			if short == 1 {
				bytes = t.Length % bytes
			}
			if rows == 0 || bytes == 0 {
				continue
			}
			a.Align(64)
			t.entry[low][short] = a.Len()
			t.square(a, f, rows, bytes)
		}
	}
}

// square emits the loop over squares along the lines; RCX counts them.
func (t *Mover) square(a *asm.Assembler, f cpu.Features, rows, bytes int) {
	vector := f.Level.VectorBytes()
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, 0))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, 8))
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, 16))
	if bytes < vector && f.Level >= cpu.AVX512 {
		mask := uint64(1)<<bytes - 1
		if t.Load != nil { // of cells
			mask = 1<<(bytes/t.Cell) - 1
		}
		a.Emit(asm.MOV, asm.RAX, asm.Imm(int64(mask)))
		a.Emit(asm.KMOVQ, asm.K(1), asm.RAX)
	}
	loop := a.Here()
	var regs, spare []asm.Reg
	for i := range t.side {
		regs = append(regs, asm.Vec(vector, i))
		if t.side+i < f.Level.VectorRegisters() {
			spare = append(spare, asm.Vec(vector, t.side+i))
		}
		t.load(a, f, regs[i], i, rows, bytes)
	}
	out := Emit(a, regs, spare, t.Cell)
	for i := range (bytes + t.Cell - 1) / t.Cell {
		a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, i*t.DstStride), out[i])
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(t.side*t.Source))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(t.side*t.DstStride))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
}

// load reads line i of a square into r.
func (t *Mover) load(a *asm.Assembler, f cpu.Features, r asm.Reg, i, rows, bytes int) {
	m := asm.Ptr(asm.RSI, i*t.SrcStride)
	switch {
	case i >= rows:
		a.Emit(asm.VPXOR, r.As(16), r.As(16), r.As(16))
	case t.Load != nil && bytes == r.Bytes():
		t.Load(a, r, m, 0)
	case t.Load != nil:
		t.Load(a, r, m, bytes/t.Cell)
	case bytes == r.Bytes():
		a.Emit(asm.VMOVUPS, r, m)
	case f.Level >= cpu.AVX512:
		a.Emit(asm.VMOVDQU8, r.ZeroMask(asm.K(1)), m)
	default: // whole cells of 4 or 8 bytes: an AVX2 group has one element
		mask := asm.Vec(r.Bytes(), f.Level.VectorRegisters()-1)
		a.Emit(asm.VMOVUPS, mask, a.Const(FirstBytes(r.Bytes(), bytes)))
		a.Emit(asm.VMASKMOVPS, r, mask, m)
	}
}

// FirstBytes returns a vector whose first n bytes are ones.
func FirstBytes(length, n int) []byte {
	mask := make([]byte, length)
	for i := range n {
		mask[i] = 0xFF
	}
	return mask
}

// Move transposes count lines from src to dst with code, which was emitted by Emit. Count is a
// number of whole vectors, or ends with the same last vector as Lines.
func (t *Mover) Move(code *exec.Code, src, dst uintptr, count int) {
	vector := t.side * t.Cell
	for done := 0; done < count; done += t.side {
		low := 0
		if count-done < t.side {
			low = 1
		}
		args := [3]uintptr{src + uintptr(done*t.SrcStride), dst + uintptr(done*t.Cell), 0}
		if n := t.Length / vector; n > 0 {
			args[2] = uintptr(n)
			code.CallAt(t.entry[low][0], unsafe.Pointer(&args))
		}
		if t.Length%vector > 0 {
			n := t.Length / vector
			args[0] += uintptr(n * t.side * t.Source)
			args[1] += uintptr(n * t.side * t.DstStride)
			args[2] = 1
			code.CallAt(t.entry[low][1], unsafe.Pointer(&args))
		}
	}
}
