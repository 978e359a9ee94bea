package blocks

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/stream"
)

// columnsAtOnce is how many columns are read at once: they share the bytes of rows, and their sums do not wait for each
// other. Each needs a register for each row.
func (p processor) columnsAtOnce(f *format, rows int, rounded bool) int {
	sums, most := 4, stream.Streams
	if p.lanes > 4 && rounded {
		sums = 8
	}
	if f.parts == 16 { // whose factors fill registers
		most = 3
		if p.lanes == 4 {
			most = 2
		}
	}
	return max(1, min(most, sums/rows))
}

// fewCode is products of few rows. A unit is some columns.
type fewCode struct {
	operands
	few       few
	machine   *vector.Machine
	rounding  *vector.Machine
	rowBytes  int // of a rounded row
	sumsAfter int // bytes from the scales of a rounded row to its sums
}

func compileFew(o operands, t vector.Backend, nests schedule.Nests) (_ kernel.Code, err error) {
	k := o.k
	f := o.of(k.B.Format)
	c := &fewCode{operands: o}
	columns := o.columnsAtOnce(f, k.M, k.Rounded)
	unit := min(max(k.N*o.column/leastUnits, leastUnit), mostUnit)
	perUnit := min(max(unit/o.column, columns)/columns*columns, k.N)
	if c.columns, err = schedule.NewColumns(k, perUnit, stream.Longest/(perUnit*o.column), nests); err != nil {
		return nil, err
	}
	c.few = few{processor: o.processor, format: k.B.Format, rows: k.M, columns: columns, k: k.K, a: k.A.DType, rounded: k.Rounded,
		aRow: k.A.Row * k.A.DType.Size(), bColumn: k.B.Col, outRow: c.sumRow(), ahead: t.Ahead()}
	if k.Rounded {
		c.rounding = c.Build(t, c.rounded(f).programFor(t), roundWords, roundFault)
	}
	c.machine = c.Build(t, c.few.program, fewWords, fewFault)
	title := fmt.Sprintf("; blocks of %v, %d rows and %d columns at once, units of %d columns\n", k.B.Format, k.M, columns, perUnit)
	return c.described(c, c.unitNanos(), c.work(), title)
}

// rounded lays out rounded rows: a row is its bytes, their scales, and their sums.
func (c *fewCode) rounded(f *format) *rounding {
	chunks := c.k.K / chunk
	c.sumsAfter = 4 * chunks
	n := &rounding{from: c.k.A.DType, stride: c.k.A.Col * c.k.A.DType.Size(), k: c.k.K, bytes: chunk, scale: 4}
	switch {
	case c.takes(f) == none, c.few.zeroed():
	case f.halves() == 2:
		n.half, n.halfGap = 8, 4
	default:
		n.sum = 4
	}
	if c.unsigned() {
		n.zero = f.zero
	}
	c.rowBytes = kernel.Aligned(c.k.K + (4+n.half+n.sum)*chunks)
	c.few.aRow = c.rowBytes
	return n
}

func (c *fewCode) unitNanos() float64 {
	each := 0.1
	if !c.k.Rounded {
		each = 0.2
	}
	return max(float64(c.columns.PerUnit*c.column)/14, each*float64(c.columns.PerUnit*c.k.K*c.k.M)/2)
}

// work is the memory behind the sums: call blocks and factors.
func (c *fewCode) work() int {
	return c.BlockBytes() + kernel.Aligned(c.k.M*max(c.few.columns*factorBytes, c.few.sumBytes(c.k.K/chunk)))
}

// roundedRow is a rounded row.
func (c *fewCode) roundedRow(args *kernel.Args, entry, row int) unsafe.Pointer {
	return unsafe.Add(args.Ptr[len(args.Ptr)-1], (min(entry, c.copies-1)*c.k.M+row)*c.rowBytes)
}

func (c *fewCode) Run(args *kernel.Args, lo, hi int) {
	c.columns.RunUnits(args, lo, hi, c.work(), func(entry, first, cols int) { c.sums(args, entry, first, cols) })
}

// sums computes the sums of some columns of an entry.
func (c *fewCode) sums(args *kernel.Args, entry, first, cols int) {
	at, words := c.behind(args, fewWords)
	a := c.row(args, entry, 0)
	if c.k.Rounded {
		a = c.roundedRow(args, entry, 0)
	}
	words[fewA], words[fewScales] = uintptr(a), uintptr(a)+uintptr(c.k.K)
	words[fewSums], words[fewFactors] = words[fewScales]+uintptr(c.sumsAfter), uintptr(at)+uintptr(c.BlockBytes())
	if c.few.zeroed() {
		words[fewSums] = words[fewFactors]
	}
	stream.Columns(cols, c.k.M*c.k.K, c.few.columns, func(done, columns, apart int) {
		words[fewB], words[fewApart] = uintptr(c.columnAt(args, entry, first+done)), uintptr(apart*c.few.bColumn)
		words[fewOut], words[fewOutApart] = uintptr(args.Scratch)+uintptr(4*done), uintptr(4*apart)
		words[fewTurns] = uintptr(columns)
		c.machine.Call(at)
	})
}

// Shared implements [kernel.Code]: rounded rows of A.
func (c *fewCode) Shared() int { return c.PrologueUnits() * c.rowBytes }

// PrologueUnits implements [kernel.Code]: a unit is a row that is rounded.
func (c *fewCode) PrologueUnits() int {
	if !c.k.Rounded {
		return 0
	}
	return c.copies * c.k.M
}

func (c *fewCode) RunPrologue(args *kernel.Args, lo, hi int) {
	for u := lo; u < hi; u++ {
		to := c.roundedRow(args, u/c.k.M, u%c.k.M)
		scale := unsafe.Add(to, c.k.K)
		sums := unsafe.Add(scale, c.sumsAfter)
		round(c.rounding, args.Scratch, c.row(args, u/c.k.M, u%c.k.M), to, scale, sums)
	}
}
