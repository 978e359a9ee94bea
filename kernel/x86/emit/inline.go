package emit

import (
	"fmt"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Registers are the registers of a program that is part of other code.
type Registers struct {
	Free  []asm.Reg // vectors for values of the program
	Words []asm.Reg // what [vector.Arg] reads, which the program leaves as they are
	Tail  int       // of how many lanes mask register [Tail] is, 0 if it is of none
}

// Tail is the mask register of the lanes that the last vector of a row has.
var Tail = keptGuard(0)

// Place is what differs between the places of a program in other code.
type Place struct {
	Given   asm.Reg // what [vector.Given] reads, which the program may overwrite
	Offsets []int   // in bytes, which are added to addresses of accesses that begin at each of the words
}

// Inline emits a program of so many lanes as part of other code, which has no call block, at places of which there is
// at least one. The program, which has no loops, may overwrite RAX and mask register K1. An error wraps
// [vector.ErrPressure] if registers do not suffice, which is all that a call without an assembler tells.
func Inline(a *asm.Assembler, f cpu.Features, r *Registers, lanes int, places []Place, write func(*vector.Builder)) error {
	return refused(func() {
		b := vector.NewBuilder("inline", lanes).For(backend{f})
		write(b)
		e := emitters.Get().(*emitter)
		e.a, e.inside, e.at = a, r, &places[0]
		code := e.allocate(b.Program(), f)
		if code.Slots > 0 || len(r.Free) == 0 && e.spare {
			panic(vector.ErrPressure)
		}
		for n := 0; a != nil && n < len(places); n++ {
			code.Rename(e.at.Given.Num(), places[n].Given.Num())
			e.at = &places[n]
			e.steps(code.Steps)
		}
		code.Release()
		b.Program().Release()
		e.release()
	})
}

// Given implements [vector.Target].
func (t *target) Given(i *vector.Instr) int {
	switch {
	case t.inside == nil:
	case i.Op == vector.Given:
		return t.at.Given.Num()
	case i.Op == vector.Arg:
		return t.inside.Words[i.Imm].Num()
	}
	return -1
}

// beginInside notes which registers a program in other code has.
func (t *target) beginInside() {
	if t.inside == nil {
		return
	}
	if t.mostGuards = 0; t.inside.Tail > 0 {
		t.guards = append(t.guards, t.inside.Tail)
	}
	t.list = append(t.list[:0], t.at.Given.Num())
	for _, r := range t.inside.Free {
		t.list = append(t.list, r.Num())
	}
	t.vectors = t.list
}

// offset returns the bytes from what is in a general register to where accesses there begin.
func (t *target) offset(word int) int {
	if t.inside != nil {
		for n, r := range t.inside.Words {
			if r.Num() == word {
				return t.at.Offsets[n]
			}
		}
	}
	return 0
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
