package kernel

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
)

// Kernel is a *Nest, *Contraction, *Convolution, *Attention, *Scan, *Sort, *Scatter,
// *Random or *Unpack.
type Kernel interface {
	// Ports lists the operands in the order of [Args.Ptr], inputs and outputs.
	Ports() []Port
	// String prints the kernel in the text form that [Parse] reads.
	String() string
}

// Port is one operand: a run of elements in memory that the kernel reads or
// writes. A kernel never writes a port that it also reads through another port,
// unless both have equal strides (in-place updates).
type Port struct {
	DType dtype.DType
	Write bool
	Len   int  // elements of the underlying buffer, the bound of every access
	Const bool // the contents never change between runs, so they may be packed once
	// Format tells that the contents are values of a packed format, in blocks of neighbours: a device
	// may keep them packed, and nothing is lost. In a format that says what bytes are ([dtype.Format.Bytes])
	// the elements are those bytes, u8, and the values are f32: see [Matrix] and [Unpack].
	Format dtype.Format
}

// Stored reports whether the elements are the bytes of blocks of a packed format.
func (p *Port) Stored() bool { return p.Format.Bytes() > 0 }

// Args is what one call of a kernel gets.
type Args struct {
	// Ptr has the first byte of each port's buffer.
	Ptr []unsafe.Pointer
	// Packed has, for ports that the code packed with [Packer.Pack], the packed
	// form, and nil for the others. It may be nil altogether.
	Packed []unsafe.Pointer
	// Scratch is Code.Scratch() bytes for this worker alone, 64-byte aligned.
	Scratch unsafe.Pointer
	// Fault is set to 1 by an access outside a port's bounds ([LoadAt]).
	Fault uint32
}

// Code is a compiled kernel. Run may be called from several goroutines at once,
// each with its own Args.
type Code interface {
	// Units returns the number of independent units of work.
	Units() int
	// UnitNanos estimates the time of one unit on one core, for the split.
	UnitNanos() float64
	// Scratch returns the bytes of scratch memory that Run needs.
	Scratch() int
	// Run does units lo to hi-1.
	Run(args *Args, lo, hi int)
	// Listing returns the machine code disassembled, or what stands for it.
	Listing() string
	// Close frees executable memory. The code must not run afterwards.
	Close()
}

// Packer is a Code that reads some constant operands in a form of its own.
type Packer interface {
	Code
	// PackedBytes returns the size of the packed form of a port, 0 if the code
	// reads the port as it is.
	PackedBytes(port int) int
	// Pack writes the packed form of src to dst (both 64-byte aligned).
	Pack(port int, dst, src unsafe.Pointer)
}

// Prologue is a Code that has work to do once per run before any unit, such as
// transforming an operand that all units share; the result lies in Shared()
// bytes that the caller provides as the last pointer of Args.Ptr.
type Prologue interface {
	Code
	// Shared returns the bytes of memory that all workers share.
	Shared() int
	// PrologueUnits returns the number of units of the first phase.
	PrologueUnits() int
	// RunPrologue does units lo to hi-1 of the first phase.
	RunPrologue(args *Args, lo, hi int)
}

// Preparation is a Prologue of two phases: all units of the preparation are done before
// the first of the prologue.
type Preparation interface {
	Prologue
	// PreparationUnits returns the number of units of the phase before the first.
	PreparationUnits() int
	// RunPreparation does units lo to hi-1 of it.
	RunPreparation(args *Args, lo, hi int)
}
