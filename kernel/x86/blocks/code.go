package blocks

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/schedule"
	vectors "github.com/go-acap/acap/kernel/vector/blocks"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/emit"
)

const (
	// mostRows is how many rows read blocks where they lie. More rounded rows read panels of bytes, which are filled once for all rows;
	// more rows that are not rounded are left to columns whose values are written once for all of them.
	mostRows = 4
	// A unit reads at most so many bytes of B or, of a B that has fewer for each of leastUnits, at least so many: memory is the faster
	// the longer a stream goes on.
	mostUnit, leastUnit = 256 << 10, 64 << 10
	leastUnits          = 16
)

// code is a compiled contraction.
type code struct {
	*schedule.Columns
	exec    *exec.Code // of the sums
	k       *kernel.Contraction
	copies  int  // of A that differ
	cols    int  // at once
	dots    bool // there is VPDPBUSD of AVX-512
	rounded roundedRow
	entry   [3]int           // of groups of columns and of one; of whole tiles, the first of which fetches, and of the last one
	layout  panelLayout      // of panels
	panels  int              // of a unit; 0 if blocks are read where they lie
	filled  int              // panels that are filled at once
	pack    int              // the entry of what fills a panel
	round   *vectors.Rounder // nil for rows that are not rounded
	work    int              // bytes that the code needs beside sums
	calls   sync.Pool        // of *worker
}

// worker is what a goroutine needs to run units.
type worker struct {
	call call
	pack packCall
	tile tileCall
}

// Compile compiles a contraction whose B is stored in blocks, for the given processor. nests compiles epilogues.
func Compile(k *kernel.Contraction, f cpu.Features, nests func(*kernel.Nest) (kernel.Code, error)) (kernel.Code, error) {
	_, known := formats[k.B.Format]
	switch {
	case f.Level < cpu.AVX2 || !known:
		return nil, fmt.Errorf("%w: blocks of %v", kernel.ErrUnsupported, k.B.Format)
	case k.M == 0 || k.N == 0 || k.K == 0 || shape.Size(k.Batch) == 0:
		return nil, fmt.Errorf("%w: an extent of 0", kernel.ErrUnsupported)
	case k.M > mostRows && !k.Rounded:
		return nil, fmt.Errorf("%w: %d rows", kernel.ErrUnsupported, k.M)
	case k.A.DType != dtype.F32 || k.A.Col != 1 || k.A.Row < 0 || k.B.Col < 0 || k.Acc != dtype.F32:
		return nil, fmt.Errorf("%w: an A of %v with elements %d apart", kernel.ErrUnsupported, k.A.DType, k.A.Col)
	case max(mostSums*k.B.Col, 4*k.A.Row*mostSums+4*k.K) > math.MaxInt32/2:
		return nil, fmt.Errorf("%w: strides too long", kernel.ErrUnsupported)
	}
	c := &code{k: k, copies: 1, rounded: roundedRow{k.K}, dots: f.VNNI && f.Level >= cpu.AVX512}
	for i, stride := range k.A.Batch {
		if stride != 0 && k.Batch[i] > 1 {
			c.copies = shape.Size(k.Batch)
		}
	}
	c.cols = max(1, mostSums/k.M)
	if k.Rounded {
		c.cols = streams(k.M)
	}
	column, _ := k.B.Format.RowBytes(k.K)
	unit := min(max(k.N*column/leastUnits, leastUnit), mostUnit)
	perUnit := min(max(unit/column, c.cols)/c.cols*c.cols, k.N)
	if k.Rounded && k.M > mostRows {
		c.layout = panelLayout{vectorShape, formats[k.B.Format]}
		if f.Tiles {
			c.layout.panelShape = tileShape
		}
		c.choosePanels()
		perUnit = c.panels * c.layout.cols
	}
	var err error
	if c.Columns, err = schedule.NewColumns(k, perUnit, nests); err != nil {
		return nil, err
	}
	switch {
	case c.panels > 0:
		c.work = c.panelAt() + c.filled*c.panelBytes()
	case k.Rounded:
		c.work = c.spans(nil, c.cols).scratch()
	default:
		c.work = scratchBytes
	}
	a := asm.Unlisted()
	c.entry = c.emit(a)
	if c.exec, err = exec.Load(a.Assemble().Bytes); err != nil {
		c.Close()
		return nil, err
	}
	c.calls.New = func() any { return new(worker) }
	if !k.Rounded {
		return c, nil
	}
	f.Level = cpu.AVX2 // as all code here
	if c.round, err = vectors.NewByteRounder(k.K, formats[k.B.Format].zero, emit.Backend(f)); err != nil {
		c.Close()
		return nil, err
	}
	return roundsFirst{c}, nil
}

// emit emits the code of products: for groups of columns and for one, or for panels.
func (c *code) emit(a *asm.Assembler) (entry [3]int) {
	if c.panels > 0 {
		return c.emitPanels(a)
	}
	if c.k.Rounded {
		return [3]int{c.spans(a, c.cols).emitAll(), c.spans(a, 1).emitAll()}
	}
	for i, cols := range []int{c.cols, 1} {
		a.Notef("%d columns", cols)
		p := &product{emitter: newEmitter(a, c.k.B.Format), rows: c.k.M, cols: cols, blocks: c.k.K / c.k.B.Format.Block(),
			aRow: c.aRow(), bColumn: c.k.B.Col, sumRow: 4 * c.PerUnit}
		entry[i] = p.emitAll()
	}
	return entry
}

// spans is what emits products of rounded rows.
func (c *code) spans(a *asm.Assembler, streams int) *spanProduct {
	return &spanProduct{emitter: newEmitter(a, c.k.B.Format), rows: c.k.M, streams: streams, chunks: c.k.K / chunk, aRow: c.aRow(),
		bColumn: c.k.B.Col, sumRow: 4 * c.PerUnit, sumsAt: c.rounded.sums() - c.rounded.scales(), dots: c.dots}
}

// aRow is the bytes from a row of A to the next, as the products read it.
func (c *code) aRow() int {
	if c.k.Rounded {
		return c.rounded.bytes()
	}
	return 4 * c.k.A.Row
}

// UnitNanos implements kernel.Code.
func (c *code) UnitNanos() float64 {
	if c.panels > 0 {
		return float64(c.PerUnit*c.k.K) * (0.25 + float64(c.k.M)/50)
	}
	column, _ := c.k.B.Format.RowBytes(c.k.K)
	each := 0.1
	if !c.k.Rounded {
		each = 0.2
	}
	return max(float64(c.PerUnit*column)/14, each*float64(c.PerUnit*c.k.K*c.k.M)/2)
}

// Scratch implements kernel.Code: tables, sums, and what the epilogue needs.
func (c *code) Scratch() int {
	return c.SumBytes() + c.work + c.Columns.Scratch()
}

// Listing implements kernel.Code.
func (c *code) Listing() string {
	a := asm.New()
	c.emit(a)
	if c.panels > 0 {
		return fmt.Sprintf("; blocks of %v, units of %d panels\n%s", c.k.B.Format, c.panels, a.Assemble())
	}
	return fmt.Sprintf("; blocks of %v, %d rows and %d columns at once, units of %d columns\n%s", c.k.B.Format, c.k.M, c.cols,
		c.PerUnit, a.Assemble())
}

// Close implements kernel.Code.
func (c *code) Close() {
	if c.exec != nil {
		c.exec.Close()
	}
	c.Columns.Close()
}

// Run implements kernel.Code.
func (c *code) Run(args *kernel.Args, lo, hi int) {
	w := c.calls.Get().(*worker)
	c.RunUnits(args, lo, hi, c.work, func(entry, first, cols int) { c.sums(w, args, entry, first, cols) })
	c.calls.Put(w)
}

// sums computes the sums of some columns of an entry.
func (c *code) sums(w *worker, args *kernel.Args, entry, first, cols int) {
	k := c.k
	b := unsafe.Add(args.Ptr[1], k.B.EntryAt(k.Batch, entry)+first*k.B.Col)
	w.call.scratch = uintptr(args.Scratch) + uintptr(c.SumBytes())
	if c.panels > 0 {
		c.panelUnit(w, args, entry, cols, b)
		return
	}
	if k.Rounded {
		w.call.a, w.call.scales, w.call.halves = c.roundedRow(args, entry, 0)
	} else {
		w.call.a = uintptr(args.Ptr[0]) + uintptr(4*k.A.EntryAt(k.Batch, entry))
	}
	w.call.b, w.call.sums = uintptr(b), uintptr(args.Scratch)
	for i, group := range []int{cols / c.cols, cols % c.cols} {
		if group > 0 {
			w.call.groups, w.call.stream = uintptr(group), uintptr(group*k.B.Col)
			c.exec.CallAt(c.entry[i], unsafe.Pointer(&w.call))
		}
		w.call.b += uintptr(cols / c.cols * c.cols * k.B.Col)
		w.call.sums += uintptr(4 * (cols / c.cols * c.cols))
	}
}

// roundedRow returns where the bytes of a rounded row are, its scales, and its sums of 16.
func (c *code) roundedRow(args *kernel.Args, entry, row int) (bytes, scales, halves uintptr) {
	bytes = uintptr(args.Ptr[len(args.Ptr)-1]) + uintptr((min(entry, c.copies-1)*c.k.M+row)*c.rounded.bytes())
	return bytes, bytes + uintptr(c.rounded.scales()), bytes + uintptr(c.rounded.halves())
}

// roundsFirst is a code that rounds the rows of A before products read them.
type roundsFirst struct{ *code }

// Shared implements kernel.Prologue.
func (c roundsFirst) Shared() int { return c.copies * c.k.M * c.rounded.bytes() }

// PrologueUnits implements kernel.Prologue: a unit is a row.
func (c roundsFirst) PrologueUnits() int { return c.copies * c.k.M }

// RunPrologue implements kernel.Prologue.
func (c roundsFirst) RunPrologue(args *kernel.Args, lo, hi int) {
	for u := lo; u < hi; u++ {
		from := c.k.A.EntryAt(c.k.Batch, u/c.k.M) + u%c.k.M*c.k.A.Row
		to := unsafe.Add(args.Ptr[len(args.Ptr)-1], u*c.rounded.bytes())
		at := func(n int) unsafe.Pointer { return unsafe.Add(to, n) }
		c.round.RoundBytes(args.Scratch, unsafe.Add(args.Ptr[0], 4*from), to, at(c.rounded.scales()), at(c.rounded.sums()), at(c.rounded.halves()))
	}
	runtime.KeepAlive(args)
}

// Scratch implements kernel.Code.
func (c roundsFirst) Scratch() int { return max(c.code.Scratch(), c.round.Scratch()) }

// Listing implements kernel.Code.
func (c roundsFirst) Listing() string { return c.code.Listing() + c.round.Listing() }

// Close implements kernel.Code.
func (c roundsFirst) Close() {
	c.code.Close()
	c.round.Close()
}
