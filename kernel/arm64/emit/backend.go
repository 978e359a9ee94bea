package emit

import (
	"errors"
	"fmt"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/arm64/asm"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/vector"
)

// Backend makes code of vector programs for a processor.
func Backend(f cpu.Features) vector.Backend { return backend{f} }

type backend struct{ f cpu.Features }

// VectorBytes implements [vector.Backend].
func (backend) VectorBytes() int { return 16 }

// Registers implements [vector.Backend].
func (b backend) Registers() int { return b.f.Level.VectorRegisters() }

// Fixed implements [vector.Backend].
func (b backend) Fixed() bool { return b.f.Fixed }

// Has implements [vector.Backend].
func (b backend) Has(o vector.Op, k, from vector.Kind) bool { return has(o, k, from, b.f) }

// Build implements [vector.Backend].
func (b backend) Build(write func() *vector.Program, words, fault int) (m *vector.Machine, err error) {
	a := asm.Unlisted()
	bytes, err := b.append(a, write, words, fault)
	if err != nil {
		return nil, err
	}
	listing := func() string {
		a := asm.New()
		_, _ = b.append(a, write, words, fault) // as before
		return a.Assemble().String()
	}
	var code []byte
	if err := refused(func() { code = a.Assemble().Bytes }); err != nil {
		return nil, err
	}
	return vector.NewMachine(code, bytes, listing)
}

// Processor makes machine code for processors of arm64.
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

// parts are programs behind each other.
type parts struct {
	backend
	a    *asm.Assembler
	made vector.Made
}

// Build implements [vector.Backend].
func (p *parts) Build(write func() *vector.Program, words, fault int) (*vector.Machine, error) {
	entry := p.a.Bytes()
	bytes, err := p.append(p.a, write, words, fault)
	if err != nil {
		return nil, err
	}
	return p.made.Part(entry, bytes), nil
}

// Load implements [vector.Parts].
func (p *parts) Load() (code *exec.Code, err error) {
	var bytes []byte
	if err = refused(func() { bytes = p.a.Assemble().Bytes }); err != nil {
		return nil, err
	}
	return p.made.Load(bytes)
}

// Listing implements [vector.Parts].
func (p *parts) Listing() string { return p.a.Assemble().String() }

// append emits the code of a program, which needs a call block of so many bytes.
func (b backend) append(a *asm.Assembler, write func() *vector.Program, words, fault int) (bytes int, err error) {
	err = refused(func() {
		p := write()
		bytes = compile(p, b.f, a, words, fault)
		p.Release()
	})
	return bytes, err
}

// refused calls f, and returns an error if the processor or the instruction set does not reach as far as f wants.
func refused(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			if !ok || !errors.Is(e, asm.ErrReach) && !errors.Is(e, errUnsupported) && !errors.Is(e, vector.ErrPressure) {
				panic(r)
			}
			err = fmt.Errorf("%w: %w", kernel.ErrUnsupported, e)
		}
	}()
	f()
	return nil
}
