package vector

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
)

// Machine is machine code of a program.
type Machine struct {
	code    *exec.Code
	entry   int
	block   int
	listing func() string
}

// Call runs the code with a call block, whose words the program reads.
func (m *Machine) Call(block unsafe.Pointer) { m.code.CallAt(m.entry, block) }

// BlockBytes returns the bytes of the call block and of what the code keeps behind its words, in whole lines.
func (m *Machine) BlockBytes() int { return kernel.Aligned(m.block) }

// Listing returns the code disassembled.
func (m *Machine) Listing() string { return m.listing() }

// Close frees the code, which must not run afterwards.
func (m *Machine) Close() { m.code.Close() }

// Flag is a word of a call block that is 1 if something is so, else 0.
func Flag(so bool) uintptr {
	if so {
		return 1
	}
	return 0
}

// Parts makes machines of several programs, whose code is loaded at once: a page of executable memory for each program
// would take longer than a short program. An error leaves the parts unusable.
type Parts interface {
	Backend
	// Load loads the code of all machines, which run from then on.
	Load() (*exec.Code, error)
	// Listing returns the code disassembled, if the parts were made to be listed.
	Listing() string
}

// Processor makes machine code for processors of an instruction set.
type Processor interface {
	Backend(f cpu.Features) Backend
	Parts(f cpu.Features, listed bool) Parts
}

// Backend makes machine code.
type Backend interface {
	// VectorBytes returns the length of the processor's vectors.
	VectorBytes() int
	// Registers returns how many vector registers the processor has.
	Registers() int
	// LastLevel returns the bytes of the processor's last-level cache.
	LastLevel() int
	// Ahead returns how many bytes ahead of a load long runs of memory are best fetched, see [cpu.Features.Ahead].
	Ahead() int
	// Has reports whether the processor has instructions for an operation that gives vectors of kind k, of operands of
	// kind from if it is a conversion.
	Has(o Op, k, from Kind) bool
	// Fixed reports whether results are to have the same bits on all processors.
	Fixed() bool
	// Build makes code of the program that a function writes, and releases the program; a listing has the function
	// write the program once more. Words counts the words of the call block; Fault and WordCheck set the given one. The
	// error wraps [ErrPressure] if registers do not suffice.
	Build(write func() *Program, words, fault int) (*Machine, error)
}
