package emit

import (
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Processor makes machine code for processors with AVX2 or AVX-512.
type Processor struct{}

// Backend implements [vector.Processor].
func (Processor) Backend(f cpu.Features) vector.Backend { return Backend(f) }

// Parts implements [vector.Processor].
func (Processor) Parts(f cpu.Features, listed bool) vector.Parts {
	if listed {
		return &parts{backend: backend{f}, a: asm.New()}
	}
	return &parts{backend: backend{f}, a: asm.Unlisted()}
}

// parts appends the code of programs to what an assembler has.
type parts struct {
	backend
	a    *asm.Assembler
	made vector.Made
}

// Build implements [vector.Backend].
func (p *parts) Build(write func() *vector.Program, words, fault int) (*vector.Machine, error) {
	p.a.Align(64)
	entry := p.a.Len()
	bytes, err := p.append(p.a, write, words, fault)
	if err != nil {
		return nil, err
	}
	return p.made.Part(entry, bytes), nil
}

// Load implements [vector.Parts].
func (p *parts) Load() (*exec.Code, error) {
	code := p.a.Assemble()
	defer code.Release()
	return p.made.Load(code.Bytes)
}

// Listing implements [vector.Parts].
func (p *parts) Listing() string { return p.a.Assemble().String() }

// Bytes returns the code.
func (p *parts) Bytes() []byte { return p.a.Assemble().Bytes }
