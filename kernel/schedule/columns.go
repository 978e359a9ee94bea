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
	nests   *Epilogue
}

// NewColumns compiles the nests. An epilogue that asks for its place, or walks backwards, is [kernel.ErrUnsupported].
func NewColumns(k *kernel.Contraction, perUnit int, nests Nests) (*Columns, error) {
	c := &Columns{K: k, Entries: shape.Size(k.Batch), PerUnit: perUnit, PerEach: kernel.Pieces(k.N, perUnit)}
	row := len(k.Batch)
	var err error
	c.nests, err = NewEpilogue(&k.Epilogue, dtype.F32, []Along{
		{Loop: row, Extent: k.M, Unit: k.M, Stride: perUnit}, {Loop: row + 1, Extent: k.N, Unit: perUnit, Stride: 1}}, nests)
	return c, err
}

// Units is the number of units of all entries.
func (c *Columns) Units() int { return c.Entries * c.PerEach }

// SumBytes is the memory of the sums of a unit.
func (c *Columns) SumBytes() int { return kernel.Aligned(4 * c.K.M * c.PerUnit) }

// Scratch is the memory that the nests need.
func (c *Columns) Scratch() int { return c.nests.Scratch() }

// Close frees the nests.
func (c *Columns) Close() { c.nests.Close() }

// RunUnits computes units lo to hi-1. The function sums writes the sums of some columns of an entry, the first of them
// in column first, to the beginning of scratch memory, and uses work bytes behind the sums. Nests then do the epilogue.
func (c *Columns) RunUnits(args *kernel.Args, lo, hi, work int, sums func(entry, first, count int)) {
	scratch := unsafe.Add(args.Scratch, c.SumBytes()+work)
	for u := lo; u < hi; u++ {
		entry, first := u/c.PerEach, u%c.PerEach*c.PerUnit
		sums(entry, first, min(c.PerUnit, c.K.N-first))
		c.nests.Run(args, [3]int{0, first}, args.Scratch, scratch, func(a *kernel.Access) int {
			return a.EntryAt(c.K.Batch, entry)
		})
	}
	runtime.KeepAlive(args)
}
