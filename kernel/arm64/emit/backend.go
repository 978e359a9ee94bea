package emit

import (
	"github.com/go-acap/acap/kernel/arm64/asm"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
)

// Processor makes machine code for processors of arm64.
var Processor vector.Processor = &vector.InstructionSet[*asm.Assembler]{
	Has:      has,
	Listed:   asm.New,
	Unlisted: asm.Unlisted,
	Entry:    (*asm.Assembler).Len,
	Compile:  compile,
	Assemble: func(a *asm.Assembler) ([]byte, func()) { return a.Assemble().Bytes, func() {} },
	Listing:  func(a *asm.Assembler) string { return a.Assemble().String() },
	Reach:    asm.ErrReach,
}

// Backend makes code of vector programs for a processor.
func Backend(f cpu.Features) vector.Backend { return Processor.Backend(f) }
