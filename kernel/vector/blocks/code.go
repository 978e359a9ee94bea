package blocks

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// mostRows is how many rows read blocks where they lie.
const mostRows = 4

// Dots are the sums of several products of bytes that a processor has instructions for.
type Dots struct {
	Lanes   bool // of four, added to lanes
	Squares bool // of two rows by two columns, each of eight
}

// operands is a contraction with a B in blocks, as its units see it.
type operands struct {
	k       *kernel.Contraction
	sums    kernel.Access
	batches int
	copies  int // of A that differ
	column  int // bytes of the blocks of a column
}

// Compile makes code of a contraction whose B is stored in blocks, and whose epilogue stores the sums as they are in an
// access. Others are [kernel.ErrUnsupported].
func Compile(k *kernel.Contraction, sums kernel.Access, t vector.Backend, dots Dots) (kernel.Code, error) {
	o := operands{k: k, sums: sums, batches: shape.Size(k.Batch), copies: 1}
	switch {
	case !Read(k.B.Format):
		return nil, fmt.Errorf("%w: blocks of %v", kernel.ErrUnsupported, k.B.Format)
	case k.M == 0 || k.N == 0 || k.K == 0 || o.batches == 0:
		return nil, fmt.Errorf("%w: an extent of 0", kernel.ErrUnsupported)
	case k.A.DType == dtype.F64 || k.A.Col != 1 && !k.Rounded:
		return nil, fmt.Errorf("%w: an A of %v with elements %d apart", kernel.ErrUnsupported, k.A.DType, k.A.Col)
	}
	for i, stride := range k.A.Batch {
		if stride != 0 && k.Batch[i] > 1 {
			o.copies = o.batches
		}
	}
	o.column, _ = k.B.Format.RowBytes(k.K)
	switch {
	case k.M <= mostRows:
		return compileFew(o, t)
	case k.Rounded && dots.Lanes:
		return compileMany(o, t, dots.Squares)
	}
	return nil, fmt.Errorf("%w: %d rows", kernel.ErrUnsupported, k.M)
}

// row is a row of A of an entry.
func (o *operands) row(args *kernel.Args, entry, row int) unsafe.Pointer {
	a := &o.k.A
	return unsafe.Add(args.Ptr[0], (a.EntryAt(o.k.Batch, entry)+row*a.Row)*a.DType.Size())
}

// columnAt is a column of B of an entry.
func (o *operands) columnAt(args *kernel.Args, entry, column int) unsafe.Pointer {
	b := &o.k.B
	return unsafe.Add(args.Ptr[1], b.EntryAt(o.k.Batch, entry)+column*b.Col)
}

// outRow and outColumn are the bytes from a result to the next.
func (o *operands) outRow() int    { return 4 * o.sums.Outer[len(o.k.Batch)] }
func (o *operands) outColumn() int { return 4 * o.sums.Outer[len(o.k.Batch)+1] }

// out is the result of the first row of an entry in a column.
func (o *operands) out(args *kernel.Args, entry, column int) unsafe.Pointer {
	return unsafe.Add(args.Ptr[2], 4*o.sums.EntryAt(o.k.Batch, entry)+column*o.outColumn())
}

// A unit of few rows reads at most so many bytes of B or, of a B that has fewer for each of leastUnits, at least so many:
// memory is the faster the longer a stream goes on.
const (
	mostUnit, leastUnit = 256 << 10, 64 << 10
	leastUnits          = 16
)

// fewCode is products of few rows. A unit is some columns.
type fewCode struct {
	operands
	few       few
	machines  [2]*vector.Machine // for several streams and for one
	perUnit   int                // columns
	units     int                // of an entry
	halves    int                // scales of a chunk
	rounding  *vector.Machine
	rowBytes  int // of a rounded row
	sumsAfter int // bytes from the scales of a rounded row to its sums
}

func compileFew(o operands, t vector.Backend) (kernel.Code, error) {
	k := o.k
	f := formats[k.B.Format]
	c := &fewCode{operands: o, halves: f.halves()}
	c.few = few{format: k.B.Format, rows: k.M, streams: max(1, 4/k.M), k: k.K, a: k.A.DType, rounded: k.Rounded,
		aRow: k.A.Row * k.A.DType.Size(), bColumn: k.B.Col, outRow: c.outRow(), outColumn: c.outColumn()}
	if f.parts == 16 { // whose factors fill registers
		c.few.streams = min(c.few.streams, 2)
	}
	if k.Rounded {
		chunks := k.K / chunk
		c.sumsAfter = 4 * chunks
		c.rowBytes = k.K + 4*chunks
		n := rounding{from: k.A.DType, stride: k.A.Col * k.A.DType.Size(), k: k.K, bytes: chunk, scale: 4}
		switch {
		case f.least == none:
		case f.halves() == 2:
			n.half, n.halfGap = 8, 4
			c.rowBytes += 8 * chunks
		default:
			n.sum = 4
			c.rowBytes += 4 * chunks
		}
		c.rowBytes = (c.rowBytes + 63) &^ 63
		c.few.aRow = c.rowBytes
		var err error
		if c.rounding, err = t.Build(n.programFor(t), roundWords, roundFault); err != nil {
			return nil, err
		}
	}
	for i, streams := range []int{c.few.streams, 1} {
		p := c.few
		p.streams = streams
		var err error
		if c.machines[i], err = t.Build(p.program, fewWords, fewFault); err != nil {
			c.Close()
			return nil, err
		}
	}
	unit := min(max(k.N*c.column/leastUnits, leastUnit), mostUnit)
	c.perUnit = min(max(unit/c.column, c.few.streams)/c.few.streams*c.few.streams, k.N)
	c.units = (k.N + c.perUnit - 1) / c.perUnit
	if k.Rounded {
		return roundsFirst{c}, nil
	}
	return c, nil
}

// Units implements [kernel.Code].
func (c *fewCode) Units() int { return c.batches * c.units }

// UnitNanos implements [kernel.Code].
func (c *fewCode) UnitNanos() float64 {
	each := 0.1
	if !c.k.Rounded {
		each = 0.3
	}
	return max(float64(c.perUnit*c.column)/14, each*float64(c.perUnit*c.k.K*c.k.M)/2)
}

// Scratch implements [kernel.Code].
func (c *fewCode) Scratch() int {
	n := max(c.machines[0].BlockBytes(), c.machines[1].BlockBytes())
	if c.rounding != nil {
		n = max(n, c.rounding.BlockBytes())
	}
	return n
}

// Listing implements [kernel.Code].
func (c *fewCode) Listing() string {
	s := fmt.Sprintf("blocks of %v, %d rows by %d columns\n%s%s", c.k.B.Format, c.k.M, c.few.streams, c.machines[0].Listing(), c.machines[1].Listing())
	if c.rounding != nil {
		s += c.rounding.Listing()
	}
	return s
}

// Close implements [kernel.Code].
func (c *fewCode) Close() {
	for _, m := range append(c.machines[:], c.rounding) {
		if m != nil {
			m.Close()
		}
	}
}

// rounded is a rounded row.
func (c *fewCode) rounded(args *kernel.Args, entry, row int) unsafe.Pointer {
	return unsafe.Add(args.Ptr[len(args.Ptr)-1], (min(entry, c.copies-1)*c.k.M+row)*c.rowBytes)
}

// Run implements [kernel.Code].
func (c *fewCode) Run(args *kernel.Args, lo, hi int) {
	words := unsafe.Slice((*uintptr)(args.Scratch), fewWords)
	for u := lo; u < hi; u++ {
		entry, first := u/c.units, u%c.units*c.perUnit
		end := min(first+c.perUnit, c.k.N)
		a := c.row(args, entry, 0)
		if c.k.Rounded {
			a = c.rounded(args, entry, 0)
		}
		for i, m := range c.machines {
			streams := []int{c.few.streams, 1}[i]
			columns := (end - first) / streams
			if columns == 0 {
				continue
			}
			words[fewA], words[fewScales] = uintptr(a), uintptr(a)+uintptr(c.k.K)
			words[fewSums] = words[fewScales] + uintptr(c.sumsAfter)
			words[fewB], words[fewStream] = uintptr(c.columnAt(args, entry, first)), uintptr(columns*c.k.B.Col)
			words[fewOut], words[fewOutStep] = uintptr(c.out(args, entry, first)), uintptr(columns*c.outColumn())
			words[fewColumns] = uintptr(columns)
			m.Call(args.Scratch)
			first += columns * streams
		}
	}
}

// roundsFirst is a code that rounds the rows of A before products read them.
type roundsFirst struct{ *fewCode }

// Shared implements [kernel.Prologue].
func (c roundsFirst) Shared() int { return c.copies * c.k.M * c.rowBytes }

// PrologueUnits implements [kernel.Prologue]: a unit is a row.
func (c roundsFirst) PrologueUnits() int { return c.copies * c.k.M }

// RunPrologue implements [kernel.Prologue].
func (c roundsFirst) RunPrologue(args *kernel.Args, lo, hi int) {
	for u := lo; u < hi; u++ {
		to := c.rounded(args, u/c.k.M, u%c.k.M)
		scale := unsafe.Add(to, c.k.K)
		sums := unsafe.Add(scale, c.sumsAfter)
		round(c.rounding, args.Scratch, c.row(args, u/c.k.M, u%c.k.M), to, scale, sums, sums)
	}
}
