package epilogue

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/exec"
)

// Columns is a contraction that is computed in units of columns: the sums of a unit, [M, PerUnit] of f32, lie in scratch memory, from where
// loop nests do the epilogue.
type Columns struct {
	K       *kernel.Contraction
	Entries int            // of the batch
	PerUnit int            // columns
	PerEach int            // units of an entry
	Exec    *exec.Code     // of the sums; nil until the caller has loaded it
	nests   [2]kernel.Code // of whole units and of the last
}

// NewColumns compiles the nests. An epilogue that asks for its place, or walks backwards, is [kernel.ErrUnsupported].
func NewColumns(k *kernel.Contraction, perUnit int, nests func(*kernel.Nest) (kernel.Code, error)) (*Columns, error) {
	for _, i := range k.Epilogue.Body {
		if i.Op == kernel.Index || i.Op == kernel.LoadAt || i.Op == kernel.StoreAt {
			return nil, fmt.Errorf("%w: %v in an epilogue", kernel.ErrUnsupported, i.Op)
		}
	}
	row, lane := len(k.Batch), len(k.Batch)+1
	for _, a := range k.Epilogue.Access {
		if a.Outer[row] < 0 || a.Outer[lane] < 0 {
			return nil, fmt.Errorf("%w: a negative stride in an epilogue", kernel.ErrUnsupported)
		}
	}
	c := &Columns{K: k, Entries: shape.Size(k.Batch), PerUnit: perUnit, PerEach: (k.N + perUnit - 1) / perUnit}
	for i, cols := range []int{perUnit, k.N - (c.PerEach-1)*perUnit} {
		sums := kernel.Access{Outer: []int{perUnit, 1}}
		sums.DType, sums.Len = dtype.F32, (k.M-1)*perUnit+cols
		nest := k.Epilogue.OnSums(sums, []int{k.M, cols}, func(a kernel.Access) []int { return []int{a.Outer[row], a.Outer[lane]} })
		var err error
		if c.nests[i], err = nests(nest); err != nil {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

// Units is the number of units of all entries.
func (c *Columns) Units() int { return c.Entries * c.PerEach }

// SumBytes is the memory of the sums of a unit.
func (c *Columns) SumBytes() int { return (4*c.K.M*c.PerUnit + 63) &^ 63 }

// Scratch is the memory that the nests need.
func (c *Columns) Scratch() int { return max(c.nests[0].Scratch(), c.nests[1].Scratch()) }

// Close frees the code of the sums and the nests.
func (c *Columns) Close() {
	if c.Exec != nil {
		c.Exec.Close()
	}
	for _, n := range c.nests {
		if n != nil {
			n.Close()
		}
	}
}

// At returns the element of an operand where an entry of the batch begins.
func (c *Columns) At(offset int, strides []int, entry int) int {
	for l := len(c.K.Batch) - 1; l >= 0; l-- {
		offset += entry % c.K.Batch[l] * strides[l]
		entry /= c.K.Batch[l]
	}
	return offset
}

// Args returns the arguments of nests, which a goroutine has for itself.
func (c *Columns) Args() kernel.Args {
	return kernel.Args{Ptr: make([]unsafe.Pointer, 1+len(c.K.Epilogue.Access))}
}

// RunUnits computes units lo to hi-1. The function sums writes the sums of some columns of an entry, the first of them in column first, to
// the beginning of scratch memory, and uses work bytes behind the sums. Nests then do the epilogue; nest is what the goroutine has from
// [Columns.Args].
func (c *Columns) RunUnits(nest, args *kernel.Args, lo, hi, work int, sums func(entry, first, count int)) {
	nest.Scratch = unsafe.Add(args.Scratch, c.SumBytes()+work)
	for u := lo; u < hi; u++ {
		entry, first := u/c.PerEach, u%c.PerEach*c.PerUnit
		sums(entry, first, min(c.PerUnit, c.K.N-first))
		c.finish(nest, args, entry, first)
	}
	args.Fault |= nest.Fault
	clear(nest.Ptr)
	nest.Fault, nest.Scratch = 0, nil
	runtime.KeepAlive(args)
}

// finish does the epilogue of a unit.
func (c *Columns) finish(nest, args *kernel.Args, entry, first int) {
	last := 0
	if first+c.PerUnit >= c.K.N {
		last = 1
	}
	lane := len(c.K.Batch) + 1
	nest.Ptr[0] = args.Scratch
	for i := range c.K.Epilogue.Access {
		a := &c.K.Epilogue.Access[i]
		at := c.At(a.Offset, a.Outer, entry) + first*a.Outer[lane]
		nest.Ptr[1+i] = unsafe.Add(args.Ptr[2+i], at*a.DType.Size())
	}
	c.nests[last].Run(nest, 0, c.nests[last].Units())
}
