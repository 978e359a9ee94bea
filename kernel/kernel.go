package kernel

import (
	"errors"
	"slices"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
)

// Kernel describes one fused piece of work. Each kind has a file of its own, which registers the kind.
type Kernel interface {
	// Ports lists the operands in the order of [Args.Ptr], inputs and outputs.
	Ports() []Port
	// String prints the kernel in the text form that [Parse] reads.
	String() string
	// Account returns what a run computes and moves.
	Account() Account

	named() *string
	form(f *form) // all but the name
	verify(v *verifier)
}

// kinds are the kinds of kernels by their numbers.
var kinds []kind

// kind is the word of a kind in the text form, and how a kernel of the kind is made.
type kind struct {
	word string
	make func() Kernel
}

// register adds a kind of kernels. Stored programs have its number, which never changes.
func register[K any, P interface {
	*K
	Kernel
}](number int, word string) {
	kinds = append(kinds, make([]kind, max(0, number+1-len(kinds)))...)
	if kinds[number].make != nil {
		panic("BUG: kernel: " + word + " has the number of " + kinds[number].word)
	}
	kinds[number] = kind{word, func() Kernel { return P(new(K)) }}
}

// Kinds returns the words of all kinds of kernels in the text form.
func Kinds() (list []string) {
	for _, k := range kinds {
		if k.make != nil {
			list = append(list, k.word)
		}
	}
	return list
}

// NameOf returns the name of a kernel.
func NameOf(k Kernel) string { return *k.named() }

// ErrUnsupported is why a back end has no code for a kernel that another may have code for.
var ErrUnsupported = errors.New("kernel: not supported by this back end")

// InPlace is a kernel that may write a result where an operand lies.
type InPlace interface {
	Kernel
	// Overwrites reports whether port out may be the same memory as port in: every point reads its element before it
	// writes it, and no other point reads it.
	Overwrites(in, out int) bool
}

// Product is a kernel that sums products, and has an epilogue on the sums.
type Product interface {
	Kernel
	// Sums returns the extents of the loops over the sums, and the type of the sums.
	Sums() (extents []int, acc dtype.DType)
	// Tail returns the epilogue.
	Tail() *Epilogue
	// WithTail returns the kernel with another epilogue.
	WithTail(e Epilogue) Product
}

// WithSums returns a kernel whose epilogue stores the sums as they are.
func WithSums(p Product, sums Access) Product {
	_, acc := p.Sums()
	return p.WithTail(Epilogue{Access: []Access{sums}, Body: Body{{Op: Input, Type: acc}, {Op: Store, Type: acc, Port: 2}}})
}

// WithBodies returns a kernel with other bodies of instructions, if the kernel has any. refs are references to
// instructions from outside of a body, which f renumbers.
func WithBodies(k Kernel, f func(b Body, refs []*int) Body) Kernel {
	switch k := k.(type) {
	case *Nest:
		return k.withBodies(f)
	case Product:
		e := *k.Tail()
		e.Body = f(e.Body, nil)
		return k.WithTail(e)
	}
	return k
}

// LineByLine is a kernel on dense operands that does the same for every line along an axis. Lines do not depend on
// each other.
type LineByLine interface {
	Kernel
	// Along returns the lines of a port.
	Along(port int) Lines
	// OnLines returns the kernel that does the same on outer × inner lines of the same length: outer before and inner
	// behind the axis.
	OnLines(outer, inner int) Kernel
}

// sameElements reports whether two ports are at the same element at each point,
// and at a different one at each other point.
func sameElements(in, out *Access) bool {
	return in.Offset == out.Offset && in.DType.Size() == out.DType.Size() && in.Len == out.Len &&
		slices.Equal(in.Outer, out.Outer) && slices.Equal(in.Inner, out.Inner) &&
		!slices.Contains(out.Inner, 0)
}

// Port is one operand: a run of elements in memory that the kernel reads or writes. A kernel never writes a port that
// it also reads through another port, unless both have equal strides (in-place updates).
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

// Args are the arguments of one call of a kernel.
type Args struct {
	// Ptr has the first byte of each port's buffer.
	Ptr []unsafe.Pointer
	// Packed has, for ports that the code packed with Pack, the packed
	// form, and nil for the others. It may be nil altogether.
	Packed []unsafe.Pointer
	// Scratch is Code.Scratch() bytes for this worker alone, 64-byte aligned.
	Scratch unsafe.Pointer
	// Fault is set to 1 by an access outside a port's bounds ([LoadAt]).
	Fault uint32
}

// Code is a compiled kernel. Run may be called from several goroutines at once, each with its own Args.
//
// A code may read some constant operands in a form of its own, and have work to do once per run before any unit, such as
// transforming an operand that all units share: all units of a preparation, then all units of a prologue. What a code
// does not have has no bytes and no units, see [OnePhase].
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

	// PackedBytes returns the size of the packed form of a port, 0 if the code reads the port as it is.
	PackedBytes(port int) int
	// Pack writes the packed form of src to dst (both 64-byte aligned).
	Pack(port int, dst, src unsafe.Pointer)
	// PackedForm tells in which form the code packs a port, "" if it does not say. Codes that name the same form write the
	// same bytes for the same operand. So products with one weight share a packed copy, such as the products in the turns
	// of a loop, whose epilogues differ.
	PackedForm(port int) string

	// Shared returns the bytes of memory that all workers share, which the caller provides as the last pointer of Args.Ptr.
	Shared() int
	// PreparationUnits returns the number of units of the phase before the prologue.
	PreparationUnits() int
	// RunPreparation does units lo to hi-1 of it.
	RunPreparation(args *Args, lo, hi int)
	// PrologueUnits returns the number of units of the phase before the units themselves.
	PrologueUnits() int
	// RunPrologue does units lo to hi-1 of it.
	RunPrologue(args *Args, lo, hi int)
}

// OnePhase is embedded by codes that read all operands as they are, and have no work before their units.
type OnePhase struct{}

func (OnePhase) PackedBytes(int) int              { return 0 }
func (OnePhase) Pack(_ int, _, _ unsafe.Pointer)  {}
func (OnePhase) PackedForm(int) string            { return "" }
func (OnePhase) Shared() int                      { return 0 }
func (OnePhase) PreparationUnits() int            { return 0 }
func (OnePhase) RunPreparation(_ *Args, _, _ int) {}
func (OnePhase) PrologueUnits() int               { return 0 }
func (OnePhase) RunPrologue(_ *Args, _, _ int)    {}

// RunAll runs all phases of a code, whose shared memory the arguments have.
func RunAll(c Code, args *Args) {
	if n := c.PreparationUnits(); n > 0 {
		c.RunPreparation(args, 0, n)
	}
	if n := c.PrologueUnits(); n > 0 {
		c.RunPrologue(args, 0, n)
	}
	c.Run(args, 0, c.Units())
}

// Overwriter is a Code that takes less time where a result has the memory of an operand.
type Overwriter interface {
	Code
	// UnitNanosOn is UnitNanos of a run on some operands and results.
	UnitNanosOn(args *Args) float64
}

// Joiner is a Code that takes less time for neighbouring units in one call of Run than in several calls.
type Joiner interface {
	Code
	// Joined returns how many units a call of Run should do where the units are enough for all threads, and the least
	// number that is worth a call when threads share the last units.
	Joined() (units, least int)
}
