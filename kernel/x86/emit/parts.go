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
