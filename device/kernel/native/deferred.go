package native

import (
	"sync"
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/x86/cpu"
)

// deferred is a convolution whose epilogue is done apart: the sums go to dense
// memory first, and a nest finishes them. This is for results that generated code
// does not store in place, such as those with a stride.
type deferred struct {
	kernel.Code // the nest
	sums        kernel.Code
	bytes       int // of the sums, rounded up
	first       kernel.Prologue
	packer      kernel.Packer
	args        sync.Pool // of *kernel.Args
}

// deferConvolution compiles c in two parts.
func deferConvolution(c *kernel.Convolution, f cpu.Features) (kernel.Code, error) {
	extents := []int{c.N, c.K, c.P, c.Q}
	strides := []int{c.K * c.P * c.Q, c.P * c.Q, c.Q, 1}
	sums := kernel.Access{Outer: strides, Port: kernel.Port{DType: c.Acc, Len: c.N * c.K * c.P * c.Q}}
	raw := *c
	body := kernel.NewBody()
	body.Store(2, body.Input(c.Acc))
	out := sums
	out.Write = true
	raw.Epilogue = kernel.Epilogue{Access: []kernel.Access{out}, Body: body.Body()}
	code, err := generate(&raw, f)
	if err != nil {
		return nil, err
	}
	finish, err := CompileFor(epilogueNest(c.Name, &c.Epilogue, 2, extents, sums), f)
	if err != nil {
		code.Close()
		return nil, err
	}
	d := &deferred{Code: finish, sums: code, bytes: (sums.Len*c.Acc.Size() + 63) &^ 63}
	d.args.New = func() any { return new(kernel.Args) }
	d.first, _ = code.(kernel.Prologue)
	d.packer, _ = code.(kernel.Packer)
	return d, nil
}

// epilogueNest is an epilogue as a nest: port first-1 holds the sums, the ports of
// the epilogue keep their numbers, and those before are left over.
func epilogueNest(name string, e *kernel.Epilogue, first int, extents []int, sums kernel.Access) *kernel.Nest {
	n := &kernel.Nest{Name: name, Outer: extents}
	unused := kernel.Access{Port: kernel.Port{DType: sums.DType, Len: sums.Len}, Outer: make([]int, len(extents))}
	for range first - 1 {
		n.Access = append(n.Access, unused)
	}
	n.Access = append(n.Access, sums)
	n.Access = append(n.Access, e.Access...)
	body := append(kernel.Body(nil), e.Body...)
	for i := range body {
		if body[i].Op == kernel.Input {
			body[i] = kernel.Instr{Op: kernel.Load, Type: sums.DType, Port: first - 1}
		}
	}
	n.Stages = []kernel.Stage{{Body: body}}
	return n
}

// Scratch implements [kernel.Code].
func (d *deferred) Scratch() int { return max(d.Code.Scratch(), d.sums.Scratch()) }

// Listing implements [kernel.Code].
func (d *deferred) Listing() string { return d.sums.Listing() + d.Code.Listing() }

// Close implements [kernel.Code].
func (d *deferred) Close() {
	d.sums.Close()
	d.Code.Close()
}

// Shared implements [kernel.Prologue]: the sums, and what their code shares.
func (d *deferred) Shared() int {
	if d.first == nil {
		return d.bytes
	}
	return d.bytes + d.first.Shared()
}

// PrologueUnits implements [kernel.Prologue]. If the sums have a first phase of
// their own, both are one unit.
func (d *deferred) PrologueUnits() int {
	if d.first != nil {
		return 1
	}
	return d.sums.Units()
}

// RunPrologue implements [kernel.Prologue].
func (d *deferred) RunPrologue(args *kernel.Args, lo, hi int) {
	shared := args.Ptr[len(args.Ptr)-1]
	own := d.args.Get().(*kernel.Args)
	own.Ptr = append(own.Ptr[:0], args.Ptr[0], args.Ptr[1], shared)
	own.Packed, own.Scratch = args.Packed, args.Scratch
	if d.first != nil {
		own.Ptr = append(own.Ptr, unsafe.Add(shared, d.bytes))
		d.first.RunPrologue(own, 0, d.first.PrologueUnits())
		lo, hi = 0, d.sums.Units()
	}
	d.sums.Run(own, lo, hi)
	d.release(own)
}

// release keeps an argument block for later runs, without the operands.
func (d *deferred) release(own *kernel.Args) {
	clear(own.Ptr)
	*own = kernel.Args{Ptr: own.Ptr[:0]}
	d.args.Put(own)
}

// Run implements [kernel.Code].
func (d *deferred) Run(args *kernel.Args, lo, hi int) {
	last := len(args.Ptr) - 1
	own := d.args.Get().(*kernel.Args)
	own.Ptr = append(own.Ptr[:0], args.Ptr[:last]...)
	own.Ptr[1] = args.Ptr[last]
	own.Scratch = args.Scratch
	d.Code.Run(own, lo, hi)
	args.Fault |= own.Fault
	d.release(own)
}

// PackedBytes implements [kernel.Packer].
func (d *deferred) PackedBytes(port int) int {
	if d.packer == nil {
		return 0
	}
	return d.packer.PackedBytes(port)
}

// Pack implements [kernel.Packer].
func (d *deferred) Pack(port int, dst, src unsafe.Pointer) { d.packer.Pack(port, dst, src) }
