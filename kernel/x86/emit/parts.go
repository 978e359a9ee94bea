package emit

import (
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Parts makes code of vector programs as parts of what an assembler has, which is loaded at once: a page of executable
// memory for each program would take longer than a short program. An error leaves the assembler unusable.
type Parts struct {
	backend
	a    *asm.Assembler
	made []*vector.Machine
}

// NewParts returns a backend that appends code to what a has.
func NewParts(f cpu.Features, a *asm.Assembler) *Parts { return &Parts{backend{f}, a, nil} }

// Build implements [vector.Backend]. The machine runs after Load.
func (p *Parts) Build(write func() *vector.Program, words, fault int) (*vector.Machine, error) {
	p.a.Align(64)
	entry := p.a.Len()
	bytes, err := p.append(p.a, write, words, fault)
	if err != nil {
		return nil, err
	}
	m := vector.NewPart(entry, bytes)
	p.made = append(p.made, m)
	return m, nil
}

// Load gives all machines the code that they are parts of.
func (p *Parts) Load(code *exec.Code) {
	for _, m := range p.made {
		m.Load(code)
	}
}

// Processor makes machine code for processors with AVX2 or AVX-512.
type Processor struct{}

// Backend implements [vector.Processor].
func (Processor) Backend(f cpu.Features) vector.Backend { return Backend(f) }

// Parts implements [vector.Processor].
func (Processor) Parts(f cpu.Features, listed bool) vector.Parts {
	if listed {
		return programs{NewParts(f, asm.New())}
	}
	return programs{NewParts(f, asm.Unlisted())}
}

// programs are parts of code that has nothing but vector programs.
type programs struct{ *Parts }

// Load implements [vector.Parts].
func (p programs) Load() (*exec.Code, error) {
	code, err := exec.Load(p.Bytes())
	if err == nil {
		p.Parts.Load(code)
	}
	return code, err
}

// Listing implements [vector.Parts].
func (p programs) Listing() string { return p.a.Assemble().String() }

// Bytes returns the code.
func (p programs) Bytes() []byte { return p.a.Assemble().Bytes }
