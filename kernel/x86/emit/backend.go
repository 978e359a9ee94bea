package emit

import (
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Processor makes machine code for processors with AVX2 or AVX-512.
var Processor vector.Processor = &vector.InstructionSet[*asm.Assembler]{
	Has:      has,
	Listed:   asm.New,
	Unlisted: asm.Unlisted,
	Entry: func(a *asm.Assembler) int {
		a.Align(64)
		return a.Len()
	},
	Compile: func(p *vector.Program, f cpu.Features, a *asm.Assembler, words, fault int) int {
		if f.Level != cpu.AVX2 && f.Level != cpu.AVX512 {
			panic(vector.ErrNoInstruction)
		}
		p.Index()
		return compile(p, f, a, words, fault)
	},
	Assemble: func(a *asm.Assembler) ([]byte, func()) {
		code := a.Assemble()
		return code.Bytes, code.Release
	},
	Listing: func(a *asm.Assembler) string { return a.Assemble().String() },
	Reach:   asm.ErrReach,
}

// Backend makes code of vector programs for a processor with AVX2 or AVX-512.
func Backend(f cpu.Features) vector.Backend { return Processor.Backend(f) }

// has reports whether there are instructions for an operation.
func has(o vector.Op, k, from vector.Kind, f cpu.Features) bool {
	there := needNoMemory | needLong | needAVX2
	if f.Level == cpu.AVX512 {
		there = needNoMemory | needLong | needAVX512
	}
	if o == vector.Choose && f.Level != cpu.AVX512 {
		return false
	}
	return specials[o].emit != nil || rules().Find(&vector.Instr{Op: o, Kind: k, From: from}, there) != nil
}
