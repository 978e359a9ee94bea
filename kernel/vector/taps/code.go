package taps

import (
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// conv is a compiled convolution: for every tap of the filter, vectors of pixels of a row of the image times elements
// of a panel of filters. A unit is a block of filters by some rows of the result.
type conv struct {
	c       *kernel.Convolution
	t       *direct
	machine *vector.Machine
	filters *panels
	image   *panels // nil if X is read in place
	out     kernel.Access

	rowStep, rowUnits       int // rows of the result
	filterStep, filterUnits int // panels of filters
	colStep, colUnits       int // panels of pixels
	nanos                   float64
}

// flopsPerNano is the rate that estimates of time suppose.
const flopsPerNano = 30

// The time of one unit that blocks aim at.
const unitNanos = 60e3

// Compile makes code of a convolution whose epilogue stores the sums as they are. Others are
// [kernel.ErrUnsupported].
func Compile(k *kernel.Convolution, t vector.Backend) (kernel.Code, error) {
	if k.N*k.C*k.K*k.P*k.Q*k.R*k.S*k.H*k.W == 0 || k.X.Stored() || k.Filter.Stored() {
		return nil, kernel.ErrUnsupported
	}
	out, ok := nest.RawSums(&k.Epilogue, k.Acc)
	if !ok {
		return nil, fmt.Errorf("%w: an epilogue", kernel.ErrUnsupported)
	}
	tl, panel, err := newTile(k.X.DType, k.Filter.DType, k.Acc)
	if err != nil {
		return nil, err
	}
	f := k.Filter.Strides
	c := &conv{c: k, out: out}
	c.t = newDirect(k, tl, out)
	perGroup := k.K / k.Groups
	s := &side{port: k.Filter.Port, offset: k.Filter.Offset, batch: []int{perGroup * f[0]}, line: f[0],
		lines: perGroup, depth: c.t.depth, width: tl.rows, to: panel,
		axes: []axis{{k.C / k.Groups, f[1]}, {k.R, f[2]}, {k.S, f[3]}}}
	if c.filters, err = newPanels(s, []int{k.Groups}, t); err != nil {
		return nil, err
	}
	if !c.t.inPlace {
		if c.image, err = c.t.copies(k, panel, t); err != nil {
			c.Close()
			return nil, err
		}
	}
	if c.machine, err = t.Build(c.t.program, convWords, convFault); err != nil {
		c.Close()
		return nil, err
	}
	c.split()
	var code kernel.Code = &sharedConv{c}
	if k.Filter.Const {
		code = &constantConv{c}
	}
	return convolution.Guard(k, code, portable.Compile, func(n *kernel.Nest) (kernel.Code, error) { return nest.Compile(n, t) }, 0)
}

func (c *conv) split() {
	t := c.t
	one := 2 * float64(t.rows*t.depth) * float64(t.width) / flopsPerNano // of a row of pixels for a panel of filters
	panels := (t.filters + t.rows - 1) / t.rows
	cols := (t.width + t.cols - 1) / t.cols
	c.colStep = cols
	if one > unitNanos {
		c.colStep = max(1, int(unitNanos/one*float64(cols)))
		one *= float64(c.colStep) / float64(cols)
	}
	c.filterStep = min(panels, max(1, min(8, int(unitNanos/one))))
	c.rowStep = min(t.height, max(1, int(unitNanos/one/float64(c.filterStep))))
	c.rowUnits = (t.height + c.rowStep - 1) / c.rowStep
	c.filterUnits = (panels + c.filterStep - 1) / c.filterStep
	c.colUnits = (cols + c.colStep - 1) / c.colStep
	c.nanos = one*float64(c.filterStep*c.rowStep) + 50
}

// Units implements [kernel.Code].
func (c *conv) Units() int { return c.c.N * c.c.Groups * c.filterUnits * c.rowUnits * c.colUnits }

// UnitNanos implements [kernel.Code].
func (c *conv) UnitNanos() float64 { return c.nanos }

// Scratch implements [kernel.Code].
func (c *conv) Scratch() int {
	n := max(c.machine.BlockBytes(), c.filters.scratch())
	if c.image != nil {
		n = max(n, c.image.scratch())
	}
	return n
}

// Listing implements [kernel.Code].
func (c *conv) Listing() string {
	return fmt.Sprintf("direct, tile %d filters by %d pixels\n%s", c.t.rows, c.t.cols, c.machine.Listing())
}

// Close implements [kernel.Code].
func (c *conv) Close() {
	if c.machine != nil {
		c.machine.Close()
	}
	if c.image != nil {
		c.image.close()
	}
	c.filters.close()
}

func (c *conv) filterBytes() int { return (c.filters.bytes + 63) &^ 63 }

// run does units on panels of filters, and on the copy of the image if there is one.
func (c *conv) run(args *kernel.Args, filters, image unsafe.Pointer, lo, hi int) {
	t, k := c.t, c.c
	size := t.kind.Size()
	block := unsafe.Slice((*uintptr)(args.Scratch), convWords)
	if image == nil {
		image = unsafe.Add(args.Ptr[0], k.X.Offset*size)
	}
	for u := lo; u < hi; u++ {
		col := u % c.colUnits * c.colStep
		rest := u / c.colUnits
		row := rest % c.rowUnits * c.rowStep
		rest /= c.rowUnits
		filter := rest % c.filterUnits * c.filterStep
		rest /= c.filterUnits
		group, n := rest%k.Groups, rest/k.Groups
		block[convImage] = uintptr(unsafe.Add(image, (n*t.perImage+group*(k.C/k.Groups)*t.perChannel+row*t.perRow+col*t.cols)*size))
		block[convFilters] = uintptr(unsafe.Add(filters, (group*t.filters+filter*t.rows)*t.depth*size))
		at := c.out.Offset + n*c.out.Outer[0] + (group*t.filters+filter*t.rows)*c.out.Outer[1] + row*c.out.Outer[2] + col*t.cols*c.out.Outer[3]
		block[convOut] = uintptr(unsafe.Add(args.Ptr[2], at*size))
		block[convHeight] = uintptr(min(c.rowStep, t.height-row))
		block[convRows], block[convLastRows] = whole(filter, c.filterStep, t.filters, t.rows)
		block[convColumns], block[convLastColumns] = whole(col, c.colStep, t.width, t.cols)
		c.machine.Call(args.Scratch)
	}
	runtime.KeepAlive(args.Ptr)
}

// whole returns how many of the panels from first on have all lines, and 1 if another one with fewer follows.
func whole(first, count, lines, width int) (panels, last uintptr) {
	end := min(first+count, (lines+width-1)/width)
	full := min(end, lines/width)
	if end > full {
		last = 1
	}
	return uintptr(full - first), last
}

func (c *conv) imageUnits() int {
	if c.image == nil {
		return 0
	}
	return c.image.units()
}

func (c *conv) imageBytes() int {
	if c.image == nil {
		return 0
	}
	return (c.image.bytes + 63) &^ 63
}

// constantConv is a convolution whose filters are packed once.
type constantConv struct{ *conv }

// PackedBytes implements [kernel.Packer].
func (c *constantConv) PackedBytes(port int) int {
	if port != 1 {
		return 0
	}
	return c.filterBytes()
}

// Pack implements [kernel.Packer].
func (c *constantConv) Pack(_ int, dst, src unsafe.Pointer) {
	scratch := make([]byte, c.filters.scratch()+64)
	p := unsafe.Pointer(&scratch[0])
	c.filters.run(src, dst, unsafe.Add(p, -int(uintptr(p))&63), 0, c.filters.units())
}

// Shared implements [kernel.Prologue].
func (c *constantConv) Shared() int { return c.imageBytes() }

// PrologueUnits implements [kernel.Prologue].
func (c *constantConv) PrologueUnits() int { return c.imageUnits() }

// RunPrologue implements [kernel.Prologue].
func (c *constantConv) RunPrologue(args *kernel.Args, lo, hi int) {
	if c.image != nil {
		c.image.run(args.Ptr[0], args.Ptr[len(args.Ptr)-1], args.Scratch, lo, hi)
	}
}

// Run implements [kernel.Code].
func (c *constantConv) Run(args *kernel.Args, lo, hi int) {
	var image unsafe.Pointer
	if c.image != nil {
		image = args.Ptr[len(args.Ptr)-1]
	}
	c.run(args, args.Packed[1], image, lo, hi)
}

// sharedConv is a convolution whose filters a first phase packs.
type sharedConv struct{ *conv }

// Shared implements [kernel.Prologue].
func (c *sharedConv) Shared() int { return c.filterBytes() + c.imageBytes() }

// PrologueUnits implements [kernel.Prologue].
func (c *sharedConv) PrologueUnits() int { return c.filters.units() + c.imageUnits() }

// RunPrologue implements [kernel.Prologue].
func (c *sharedConv) RunPrologue(args *kernel.Args, lo, hi int) {
	to := args.Ptr[len(args.Ptr)-1]
	c.filters.run(args.Ptr[1], to, args.Scratch, lo, hi)
	if c.image != nil {
		n := c.filters.units()
		c.image.run(args.Ptr[0], unsafe.Add(to, c.filterBytes()), args.Scratch, lo-n, hi-n)
	}
}

// Run implements [kernel.Code].
func (c *sharedConv) Run(args *kernel.Args, lo, hi int) {
	filters := args.Ptr[len(args.Ptr)-1]
	var image unsafe.Pointer
	if c.image != nil {
		image = unsafe.Add(filters, c.filterBytes())
	}
	c.run(args, filters, image, lo, hi)
}

// ceil is a/b rounded up, of any a.
func ceil(a, b int) int { return int(math.Ceil(float64(a) / float64(b))) }
