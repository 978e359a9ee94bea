package schedule

import (
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
)

// Columns is a contraction that is computed in units of columns: the sums of a unit, [M, PerUnit] of f32, lie in
// scratch memory, from where loop nests do the epilogue.
type Columns struct {
	K       *kernel.Contraction
	Entries int // of the batch
	PerUnit int // columns
	PerEach int // units of an entry
	Joined  int // units that are done at once: their sums lie side by side
	nests   *Epilogue
}

// NewColumns compiles the nests. An epilogue that asks for its place, or walks backwards, is [kernel.ErrUnsupported].
func NewColumns(k *kernel.Contraction, perUnit, joined int, nests Nests) (*Columns, error) {
	each := kernel.Pieces(k.N, perUnit)
	c := &Columns{K: k, Entries: shape.Size(k.Batch), PerUnit: perUnit, PerEach: each, Joined: min(max(joined, 1), each)}
	row := len(k.Batch)
	var err error
	c.nests, err = NewEpilogue(&k.Epilogue, dtype.F32, []Along{
		{Loop: row, Extent: k.M, Unit: k.M, Stride: c.Joined * perUnit}, {Loop: row + 1, Extent: k.N, Unit: perUnit, Stride: 1}}, nests)
	return c, err
}

// Units is the number of units of all entries.
func (c *Columns) Units() int { return c.Entries * c.PerEach }

// SumBytes is the memory of the sums of joined units.
func (c *Columns) SumBytes() int { return kernel.Aligned(4 * c.K.M * c.Joined * c.PerUnit) }

// Scratch is the memory that the nests need.
func (c *Columns) Scratch() int { return c.nests.Scratch() }

// Close frees the nests.
func (c *Columns) Close() { c.nests.Close() }

// RunUnits computes units lo to hi-1. The function sums writes the sums of some columns of an entry, the first of them
// in column first, to the beginning of scratch memory, and uses work bytes behind the sums. Nests then do the epilogue.
func (c *Columns) RunUnits(args *kernel.Args, lo, hi, work int, sums func(entry, first, count int)) {
	scratch := unsafe.Add(args.Scratch, c.SumBytes()+work)
	for lo < hi {
		entry, unit := lo/c.PerEach, lo%c.PerEach
		units := min(hi-lo, c.PerEach-unit, c.Joined)
		sums(entry, unit*c.PerUnit, min(units*c.PerUnit, c.K.N-unit*c.PerUnit))
		for u := range units {
			c.nests.Run(args, [3]int{0, (unit + u) * c.PerUnit}, unsafe.Add(args.Scratch, 4*u*c.PerUnit), scratch, func(a *kernel.Access) int {
				return a.EntryAt(c.K.Batch, entry)
			})
		}
		lo += units
	}
	runtime.KeepAlive(args)
}
