package emit

import (
	"errors"
	"fmt"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Backend makes code of vector programs for a processor with AVX2 or AVX-512.
func Backend(f cpu.Features) vector.Backend { return backend{f} }

type backend struct{ f cpu.Features }

// VectorBytes implements [vector.Backend].
func (b backend) VectorBytes() int { return b.f.Level.VectorBytes() }

// Registers implements [vector.Backend].
func (b backend) Registers() int { return b.f.Level.VectorRegisters() }

// Fixed implements [vector.Backend].
func (b backend) Fixed() bool { return b.f.Fixed }

// Has implements [vector.Backend].
func (b backend) Has(o vector.Op, k, from vector.Kind) bool {
	there := needNoMemory | needLong | needAVX2
	if b.f.Level == cpu.AVX512 {
		there = needNoMemory | needLong | needAVX512
	}
	if o == vector.Choose && b.f.Level != cpu.AVX512 {
		return false
	}
	return specials[o].emit != nil || rules().Find(&vector.Instr{Op: o, Kind: k, From: from}, there) != nil
}

// errUnsupported is the panic for an operation that the processor has no instructions for.
var errUnsupported = errors.New("no instruction for an operation")

// Build implements [vector.Backend].
func (b backend) Build(write func() *vector.Program, words, fault int) (m *vector.Machine, err error) {
	a := asm.Unlisted()
	bytes, err := b.append(a, write, words, fault)
	if err != nil {
		return nil, err
	}
	code := a.Assemble()
	defer code.Release()
	return vector.NewMachine(code.Bytes, bytes, func() string {
		a := asm.New()
		_, _ = b.append(a, write, words, fault) // as before
		return a.Assemble().String()
	})
}

// append emits the code of a program, which needs a call block of so many bytes.
func (b backend) append(a *asm.Assembler, write func() *vector.Program, words, fault int) (bytes int, err error) {
	if b.f.Level != cpu.AVX2 && b.f.Level != cpu.AVX512 {
		return 0, fmt.Errorf("%w: neither AVX2 nor AVX-512", kernel.ErrUnsupported)
	}
	err = refused(func() {
		p := write()
		p.Index()
		bytes = compile(p, b.f, a, words, fault)
		p.Release()
	})
	return bytes, err
}

// refused returns the error of what panics because the processor does not suffice.
func refused(work func()) (err error) {
	defer func() {
		switch r := recover(); {
		case r == nil:
		case r == any(asm.ErrReach), r == any(errUnsupported), r == any(vector.ErrPressure):
			err = fmt.Errorf("%w: %w", kernel.ErrUnsupported, r.(error))
		default:
			panic(r)
		}
	}()
	work()
	return nil
}
