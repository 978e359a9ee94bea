package rows

import (
	"fmt"
	"math"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

const (
	// mostRows is how many rows there may be: for more, panels of B that are packed for all of them are faster.
	mostRows = 48
	// leastBytes is how large B is at least: a smaller one stays in the cache, packed or not.
	leastBytes = 256 << 10
	// unitBytes is about how much of B a unit reads.
	unitBytes = 256 << 10
)

// code is a compiled contraction.
type code struct {
	*epilogue.Columns
	k     *kernel.Contraction
	entry [2]int // of groups of columns and of one
	calls sync.Pool
}

// worker is what a goroutine needs to run units.
type worker struct {
	call call
	nest kernel.Args
}

// Compile compiles a contraction of a few rows, for the given processor. nests compiles epilogues.
func Compile(k *kernel.Contraction, f cpu.Features, nests func(*kernel.Nest) (kernel.Code, error)) (kernel.Code, error) {
	bytes := k.B.DType.Size()
	switch {
	case f.Level < cpu.AVX2 || f.Fixed:
		return nil, fmt.Errorf("%w: another order of sums", kernel.ErrUnsupported)
	case k.M < 2 || k.M > mostRows || k.K%lanes != 0 || k.N*k.K*bytes < leastBytes || shape.Size(k.Batch) == 0:
		return nil, fmt.Errorf("%w: %d rows of %d by %d columns", kernel.ErrUnsupported, k.M, k.K, k.N)
	case k.A.DType != dtype.F32 || k.Acc != dtype.F32 || k.A.Col != 1 || k.A.Row < 0:
		return nil, fmt.Errorf("%w: an A of %v with elements %d apart", kernel.ErrUnsupported, k.A.DType, k.A.Col)
	case k.B.Stored() || k.B.Row != 1 || k.B.Col < 0 || loads[k.B.DType] == nil:
		return nil, fmt.Errorf("%w: a B of %v with elements %d apart", kernel.ErrUnsupported, k.B.DType, k.B.Row)
	case k.B.Const:
		return nil, fmt.Errorf("%w: a B that is packed once", kernel.ErrUnsupported)
	case max(bytes*k.B.Col*2*tileCols, 4*k.A.Row*mostRows+4*k.K) > math.MaxInt32/2:
		return nil, fmt.Errorf("%w: strides too long", kernel.ErrUnsupported)
	}
	c := &code{k: k}
	perUnit := min(max(unitBytes/(bytes*k.K), tileCols)/tileCols*tileCols, k.N)
	var err error
	if c.Columns, err = epilogue.NewColumns(k, perUnit, nests); err != nil {
		return nil, err
	}
	a := asm.Unlisted()
	c.entry = c.emit(a)
	if c.Exec, err = exec.Load(a.Assemble().Bytes); err != nil {
		c.Close()
		return nil, err
	}
	c.calls.New = func() any { return &worker{nest: c.Args()} }
	return c, nil
}

// emit emits the code for groups of columns and for one.
func (c *code) emit(a *asm.Assembler) (entry [2]int) {
	for i, cols := range []int{tileCols, 1} {
		a.Notef("%d columns", cols)
		entry[i] = c.product(a, cols).emitAll()
	}
	return entry
}

// product is what emits products with so many columns at once.
func (c *code) product(a *asm.Assembler, cols int) *product {
	return &product{Assembler: a, b: c.k.B.DType, rows: c.k.M, cols: cols, depth: c.k.K, aRow: 4 * c.k.A.Row,
		bColumn: c.k.B.DType.Size() * c.k.B.Col, sumRow: 4 * c.PerUnit}
}

// UnitNanos implements kernel.Code.
func (c *code) UnitNanos() float64 {
	elements := float64(c.PerUnit * c.k.K)
	return max(elements*float64(c.k.B.DType.Size())/14, elements*float64(c.k.M)/30)
}

// wide is the memory of a widened part of the columns of a group.
func (c *code) wide() int {
	if p := c.product(nil, tileCols); p.widens() {
		return (tileCols*wideColumn(p.part()) + 63) &^ 63
	}
	return 0
}

// Scratch implements kernel.Code: sums, a widened part, and what the epilogue needs.
func (c *code) Scratch() int { return c.SumBytes() + c.wide() + c.Columns.Scratch() }

// Listing implements kernel.Code.
func (c *code) Listing() string {
	a := asm.New()
	c.emit(a)
	return fmt.Sprintf("; %d rows, %d columns at once, units of %d columns\n%s", c.k.M, tileCols, c.PerUnit, a.Assemble())
}

// Run implements kernel.Code.
func (c *code) Run(args *kernel.Args, lo, hi int) {
	w := c.calls.Get().(*worker)
	c.RunUnits(&w.nest, args, lo, hi, c.wide(), func(entry, first, cols int) { c.sums(w, args, entry, first, cols) })
	c.calls.Put(w)
}

// sums computes the sums of some columns of an entry.
func (c *code) sums(w *worker, args *kernel.Args, entry, first, cols int) {
	a, b, bytes := &c.k.A, &c.k.B, c.k.B.DType.Size()
	w.call.a = uintptr(args.Ptr[0]) + uintptr(4*c.At(a.Offset, a.Batch, entry))
	w.call.b = uintptr(args.Ptr[1]) + uintptr(bytes*(c.At(b.Offset, b.Batch, entry)+first*b.Col))
	w.call.sums, w.call.wide = uintptr(args.Scratch), uintptr(args.Scratch)+uintptr(c.SumBytes())
	clear(unsafe.Slice((*byte)(args.Scratch), c.SumBytes()))
	for i, groups := range []int{cols / tileCols, cols % tileCols} {
		if groups > 0 {
			w.call.groups = uintptr(groups)
			c.Exec.CallAt(c.entry[i], unsafe.Pointer(&w.call))
		}
		w.call.b += uintptr(cols / tileCols * tileCols * bytes * b.Col)
		w.call.sums += uintptr(4 * (cols / tileCols * tileCols))
	}
}
