package vector

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
)

// ErrNoInstruction is the panic for an operation that the processor has no instructions for.
var ErrNoInstruction = errors.New("no instruction for an operation")

// InstructionSet is a [Processor], which makes machine code by an assembler of type A. [InstructionSet.Compile] and
// [InstructionSet.Assemble] panic with [ErrNoInstruction], [ErrPressure] and [InstructionSet.Reach] where the processor
// does not suffice.
type InstructionSet[A any] struct {
	// Has is the function behind [Backend.Has].
	Has func(o Op, k, from Kind, f cpu.Features) bool
	// Listed and Unlisted return an assembler without code; the code of an unlisted one cannot be listed.
	Listed, Unlisted func() A
	// Entry returns where the code of the next program begins.
	Entry func(A) int
	// Compile appends the code of a program. The call block has the given number of words, and word fault tells of
	// faults. Compile returns the bytes that the block, and what the code keeps behind it, take.
	Compile func(p *Program, f cpu.Features, a A, words, fault int) (bytes int)
	// Assemble returns all code. Nothing reads the code any more when release is called.
	Assemble func(A) (code []byte, release func())
	// Listing returns the code disassembled, if the assembler is a listed one.
	Listing func(A) string
	// Reach says that code or data is too far away.
	Reach error
}

// Backend implements [Processor].
func (s *InstructionSet[A]) Backend(f cpu.Features) Backend { return backend[A]{s, f} }

// Parts implements [Processor].
func (s *InstructionSet[A]) Parts(f cpu.Features, listed bool) Parts {
	a := s.Unlisted
	if listed {
		a = s.Listed
	}
	return &parts[A]{backend: backend[A]{s, f}, a: a()}
}

// append appends the code of the program that a function writes.
func (s *InstructionSet[A]) append(a A, f cpu.Features, write func() *Program, words, fault int) (bytes int, err error) {
	err = s.refused(func() {
		p := write()
		bytes = s.Compile(p, f, a, words, fault)
		p.Release()
		if f.Programs != nil {
			note(f.Programs, strings.TrimRight(write().String(), "\n"))
		}
	})
	return bytes, err
}

// note adds a text to a list that does not have the text.
func note(list *[]string, text string) {
	if !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
}

// load assembles the code and loads it.
func (s *InstructionSet[A]) load(a A) (code *exec.Code, err error) {
	refused := s.refused(func() {
		bytes, release := s.Assemble(a)
		defer release()
		code, err = exec.Load(bytes)
	})
	return code, errors.Join(refused, err)
}

// refused returns the error of what panics because the processor does not suffice.
func (s *InstructionSet[A]) refused(work func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			if !ok || !errors.Is(e, s.Reach) && !errors.Is(e, ErrNoInstruction) && !errors.Is(e, ErrPressure) {
				panic(r)
			}
			err = fmt.Errorf("%w: %w", kernel.ErrUnsupported, e)
		}
	}()
	work()
	return nil
}

// backend is an instruction set with the features of a processor.
type backend[A any] struct {
	set *InstructionSet[A]
	f   cpu.Features
}

func (b backend[A]) VectorBytes() int            { return b.f.Level.VectorBytes() }
func (b backend[A]) Registers() int              { return b.f.Level.VectorRegisters() }
func (b backend[A]) LastLevel() int              { return b.f.L3 }
func (b backend[A]) Ahead() int                  { return b.f.Ahead() }
func (b backend[A]) Fixed() bool                 { return b.f.Fixed }
func (b backend[A]) Has(o Op, k, from Kind) bool { return b.set.Has(o, k, from, b.f) }

func (b backend[A]) Build(write func() *Program, words, fault int) (*Machine, error) {
	p := b.set.Parts(b.f, false)
	m, err := p.Build(write, words, fault)
	if err == nil {
		_, err = p.Load()
	}
	if err != nil {
		return nil, err
	}
	m.listing = func() string {
		p := b.set.Parts(b.f, true)
		_, _ = p.Build(write, words, fault) // as before
		return p.Listing()
	}
	return m, nil
}

// parts are programs behind each other.
type parts[A any] struct {
	backend[A]
	a        A
	machines []*Machine
}

// Build implements [Backend]. The machine has no listing; who loads the code closes it.
func (p *parts[A]) Build(write func() *Program, words, fault int) (*Machine, error) {
	entry := p.set.Entry(p.a)
	bytes, err := p.set.append(p.a, p.f, write, words, fault)
	if err != nil {
		return nil, err
	}
	m := &Machine{entry: entry, block: bytes}
	p.machines = append(p.machines, m)
	return m, nil
}

func (p *parts[A]) Load() (*exec.Code, error) {
	code, err := p.set.load(p.a)
	if err != nil {
		return nil, err
	}
	for _, m := range p.machines {
		m.code = code
	}
	return code, nil
}

func (p *parts[A]) Listing() string { return p.set.Listing(p.a) }

// Bytes returns the code.
func (p *parts[A]) Bytes() []byte {
	code, _ := p.set.Assemble(p.a)
	return code
}
