package blocks

import (
	"unsafe"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Rows writes the values of columns of blocks as rows of f32.
type Rows struct {
	Format dtype.Format
	Column int // bytes from a column to the next
	Row    int // bytes from a row that is written to the next

	entry  int
	native bool // else rows are written in Go
}

// rowsCall is what the code finds at RDI.
type rowsCall struct{ from, to, scratch, columns, blocks uintptr }

// ScratchBytes is the memory that [Rows.Write] needs.
const ScratchBytes = scratchBytes

// Emit adds the code to a.
func (r *Rows) Emit(a *asm.Assembler) {
	if _, r.native = formats[r.Format]; !r.native {
		return
	}
	e := newEmitter(a, r.Format)
	a.Align(64)
	r.entry = a.Len()
	for i, to := range []asm.Reg{asm.RSI, asm.RBX, asm.R10, asm.R11} {
		a.Emit(asm.MOV, to, asm.Ptr(asm.RDI, 8*i))
	}
	column := a.Here()
	a.Emit(asm.MOV, asm.R8, asm.RSI)
	a.Emit(asm.MOV, asm.RDX, asm.RBX)
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, 32))
	loop := a.Here()
	e.spread()
	for c := range e.chunks() {
		e.numbersAsFloats(c, func(v int) { a.Emit(asm.VMOVUPS, asm.Ptr(asm.RDX, 4*(chunk*c+8*v)), e.t) })
	}
	a.Emit(asm.ADD, asm.R8, asm.Imm(r.Format.Bytes()))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(4*r.Format.Block()))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(r.Column))
	a.Emit(asm.ADD, asm.RBX, asm.Imm(r.Row))
	a.Emit(asm.DEC, asm.R11)
	a.Emit(asm.JNE, column)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
}

// Write writes some blocks of columns at from as rows at to, with code that Emit was called for. scratch has
// [ScratchBytes].
func (r *Rows) Write(code *exec.Code, from, to, scratch unsafe.Pointer, columns, blocks int) {
	if r.native {
		call := rowsCall{uintptr(from), uintptr(to), uintptr(scratch), uintptr(columns), uintptr(blocks)}
		code.CallAt(r.entry, unsafe.Pointer(&call))
		return
	}
	for i := range columns {
		data := unsafe.Slice((*byte)(unsafe.Add(from, i*r.Column)), blocks*r.Format.Bytes())
		block.Decode(r.Format, unsafe.Slice((*float32)(unsafe.Add(to, i*r.Row)), blocks*r.Format.Block()), data)
	}
}
