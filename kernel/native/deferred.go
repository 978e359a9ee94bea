package native

import (
	"slices"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// deferred is a contraction or convolution whose epilogue is done apart: the sums
// go to dense memory first, and a nest finishes them. This is for epilogues that
// the generators of products do not take: with indices, gathers, strides that run
// backwards.
type deferred struct {
	kernel.Code // the nest
	sums        kernel.Code
	bytes       int // of the sums, rounded up
	args        kernel.ArgsPool
}

// deferEpilogue compiles a kernel in two parts. A kernel without an epilogue beyond storing the sums densely is refused
// for the reason why it has no code as a whole.
func deferEpilogue(k kernel.Kernel, f cpu.Features, why error) (kernel.Code, error) {
	p, ok := k.(kernel.Product)
	if !ok {
		return nil, why
	}
	extents, acc := p.Sums()
	sums, e := dense(acc, extents), p.Tail()
	if raw, ok := nest.RawSums(e, acc); ok && raw.Offset == 0 && slices.Equal(raw.Outer, sums.Outer) { // there is nothing to defer
		return nil, why
	}
	out := sums
	out.Write = true
	code, err := generate(kernel.WithSums(p, out), f)
	if err != nil {
		return nil, err
	}
	finish, err := CompileFor(e.OnSums(sums, extents, func(a kernel.Access) kernel.Access { return a }), f)
	if err != nil {
		code.Close()
		return nil, err
	}
	return &deferred{Code: finish, sums: code, bytes: kernel.Aligned(sums.Len * acc.Size())}, nil
}

// dense is an operand that lies in the order of the loops.
func dense(t dtype.DType, extents []int) kernel.Access {
	a := kernel.Access{Outer: make([]int, len(extents)), Port: kernel.Port{DType: t, Len: 1}}
	for l := len(extents) - 1; l >= 0; l-- {
		a.Outer[l] = a.Len
		a.Len *= extents[l]
	}
	return a
}

func (d *deferred) Scratch() int    { return max(d.Code.Scratch(), d.sums.Scratch()) }
func (d *deferred) Listing() string { return d.sums.Listing() + d.Code.Listing() }

func (d *deferred) Close() {
	d.sums.Close()
	d.Code.Close()
}

// Shared implements [kernel.Code]: the sums, and what their code shares.
func (d *deferred) Shared() int { return d.bytes + d.sums.Shared() }

// SharedSums returns the bytes of the shared memory that hold sums, and not an operand in another form.
func (d *deferred) SharedSums() int { return d.bytes }

// PrologueUnits implements [kernel.Code]: the units of the sums.
func (d *deferred) PrologueUnits() int { return d.sums.Units() }

func (d *deferred) RunPrologue(args *kernel.Args, lo, hi int) {
	own := d.operands(args)
	d.sums.Run(own, lo, hi)
	d.args.Put(own, args)
}

// PreparationUnits implements [kernel.Code]: units of the first phase of the sums.
func (d *deferred) PreparationUnits() int { return d.sums.PrologueUnits() }

func (d *deferred) RunPreparation(args *kernel.Args, lo, hi int) {
	own := d.operands(args)
	d.sums.RunPrologue(own, lo, hi)
	d.args.Put(own, args)
}

// operands returns the arguments of the sums.
func (d *deferred) operands(args *kernel.Args) *kernel.Args {
	shared := args.Ptr[len(args.Ptr)-1]
	own := d.args.Get()
	own.Ptr = append(own.Ptr[:0], args.Ptr[0], args.Ptr[1], shared)
	own.Packed, own.Scratch = args.Packed, args.Scratch
	if d.sums.Shared() > 0 {
		own.Ptr = append(own.Ptr, unsafe.Add(shared, d.bytes))
	}
	return own
}

func (d *deferred) Run(args *kernel.Args, lo, hi int) {
	last := len(args.Ptr) - 1
	own := d.args.Get()
	own.Ptr = append(append(own.Ptr, args.Ptr[last]), args.Ptr[2:last]...)
	own.Scratch = args.Scratch
	d.Code.Run(own, lo, hi)
	d.args.Put(own, args)
}

func (d *deferred) PackedBytes(port int) int               { return d.sums.PackedBytes(port) }
func (d *deferred) Pack(port int, dst, src unsafe.Pointer) { d.sums.Pack(port, dst, src) }
func (d *deferred) PackedForm(port int) string             { return d.sums.PackedForm(port) }
