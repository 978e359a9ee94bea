package peak

import (
	"errors"
	"unsafe"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// ErrUnsupported says that this machine runs no generated code.
var ErrUnsupported = errors.New("peak: no generated code on this machine")

// Loop is a measuring loop: Run does Work floating-point operations or moves Work bytes, in well under a millisecond.
type Loop struct {
	Work float64
	code *exec.Code
	args [3]uintptr
}

// Run executes the loop once.
func (l *Loop) Run() { l.code.Call(unsafe.Pointer(&l.args)) }

// Close frees the code.
func (l *Loop) Close() { l.code.Close() }

// MultiplyAdd returns the loop of independent f32 multiply-adds at the widest vector of this machine.
func MultiplyAdd() (*Loop, error) {
	level := cpu.Detect().Level
	if level.VectorBytes() < 32 {
		return nil, ErrUnsupported
	}
	const trips = 5000
	width, n := level.VectorBytes(), level.VectorRegisters()-2
	a := asm.New()
	a.Emit(asm.MOV, asm.RCX, asm.Imm(trips))
	a.Align(64)
	loop := a.Here()
	for i := range n {
		a.Emit(asm.VFMADD231PS, asm.Vec(width, i), asm.Vec(width, n), asm.Vec(width, n+1))
	}
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	code, err := exec.Load(a.Assemble().Bytes)
	if errors.Is(err, exec.ErrRefused) {
		return nil, ErrUnsupported
	}
	if err != nil {
		return nil, err
	}
	return &Loop{Work: trips * float64(n) * float64(width/4) * 2, code: code}, nil
}
