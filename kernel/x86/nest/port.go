package nest

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// General registers with a fixed role. RAX and R11 are free for the moment.
const (
	argsReg  = asm.RDI // the call block
	indexReg = asm.RSI // element of the lane loop
	laneReg  = asm.RCX // counts the lane loop
	loopReg  = asm.RDX // counts the innermost of the other loops
)

var pointerRegs = []asm.Reg{asm.RBX, asm.RBP, asm.R8, asm.R9, asm.R10, asm.R12, asm.R13, asm.R14,
	asm.R15}

// port is an operand in memory: of the nest, or a buffer of kept values.
type port struct {
	dtype   dtype.DType
	lane    int   // stride along the lanes, in elements
	strides []int // along each loop of the nest
	disp    int   // bytes to the inner point whose code is being emitted
	// copyBytes is the length of a kept buffer, of which there may be two.
	copyBytes int
	local     bool // a kept buffer that is used again for every block of lanes
	reg       asm.Reg
	slot      int // in the call block, where the pointer is if it has no register
}

func (p *port) size() int { return p.dtype.Size() }

// pointer returns a register with the port's address at the current point.
func (e *emitter) pointer(p *port, temp asm.Reg) asm.Reg {
	if p.reg != asm.None {
		return p.reg
	}
	e.a.Emit(asm.MOV, temp, asm.Ptr(argsReg, 8*p.slot))
	return temp
}

// advance adds bytes to the port's address.
func (e *emitter) advance(p *port, bytes int) {
	if bytes == 0 {
		return
	}
	var at asm.Operand = p.reg
	if p.reg == asm.None {
		at = asm.Ptr(argsReg, 8*p.slot)
	}
	if int(int32(bytes)) == bytes && p.reg != asm.None {
		e.a.Emit(asm.ADD, at, asm.Imm(bytes))
		return
	}
	e.a.Emit(asm.MOV, asm.RAX, asm.Imm(bytes))
	e.a.Emit(asm.ADD, at, asm.RAX)
}

// contiguous is the memory of the current vector of a port with lane stride 1.
func (e *emitter) contiguous(p *port) asm.Mem {
	base := e.pointer(p, asm.R11)
	disp := p.disp + e.unroll*e.lanes*p.size()
	if p.local {
		return asm.Ptr(base, disp)
	}
	return asm.At(base, indexReg, p.size(), disp)
}

// element is the memory of lane 0 of a port whose lanes lie apart; lane i is
// i·stride elements further.
func (e *emitter) element(p *port) asm.Mem {
	base := e.pointer(p, asm.R11)
	if p.lane == 0 || e.single {
		return asm.Ptr(base, p.disp)
	}
	e.a.Emit(asm.IMUL, asm.RAX, indexReg, asm.Imm(p.lane*p.size()))
	return asm.At(base, asm.RAX, 1, p.disp+e.unroll*e.lanes*p.lane*p.size())
}

// count is the number of lanes in use.
func (e *emitter) count() int {
	if e.tail > 0 {
		return e.tail
	}
	return e.lanes
}

// tailMask is the mask register that holds the lanes of the tail.
var tailMask = asm.K(1)
