package scan

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// code is a compiled scan. A unit is some lines.
type code struct {
	*plan
	machine vector.Machine
}

// Compile makes code of a scan.
func Compile(k *kernel.Scan, t vector.Backend) (kernel.Code, error) {
	if k.Elements() == 0 {
		return nil, fmt.Errorf("%w: a scan of nothing", kernel.ErrUnsupported)
	}
	c := &code{plan: newPlan(k, t.VectorBytes())}
	var err error
	if c.machine, err = t.Build(c.program(), words, wordFault); err != nil {
		return nil, err
	}
	return c, nil
}

// Units implements [kernel.Code].
func (c *code) Units() int { return c.rest * c.blocks() }

// UnitNanos implements [kernel.Code].
func (c *code) UnitNanos() float64 { return c.nanos() * float64(c.width*c.k.N) }

// accumulatorBytes is the bytes of the accumulators of a unit, and of the last vector.
func (c *code) accumulatorBytes() int { return ((c.width+c.lanes)*8 + 63) &^ 63 }

// Scratch implements [kernel.Code].
func (c *code) Scratch() int { return 2*c.accumulatorBytes() + c.machine.BlockBytes() }

// Listing implements [kernel.Code].
func (c *code) Listing() string {
	return fmt.Sprintf("lanes: %d lines, %d elements apart\n%s", c.lanes, c.apart, c.machine.Listing())
}

// Close implements [kernel.Code].
func (c *code) Close() { c.machine.Close() }

// Run implements [kernel.Code].
func (c *code) Run(args *kernel.Args, lo, hi int) {
	size, outSize := c.k.X.DType.Size(), c.k.Out.DType.Size()
	accumulators := args.Scratch
	places := unsafe.Add(accumulators, c.accumulatorBytes())
	at := unsafe.Add(accumulators, 2*c.accumulatorBytes())
	b := unsafe.Slice((*uintptr)(at), words)
	b[wordAcc], b[wordPlaces] = uintptr(accumulators), uintptr(places)
	for u := lo; u < hi; u++ {
		first := u % c.blocks() * c.width
		from := u/c.blocks()*c.others + first*c.apart
		lines := min(c.width, c.lines-first)
		c.start(accumulators, lines)
		b[wordGroups] = uintptr(lines / (vectors * c.lanes) * vectors * c.lanes)
		b[wordSingles] = uintptr(lines/c.lanes*c.lanes) - b[wordGroups]
		b[wordTail] = uintptr(min(lines%c.lanes, 1))
		for row := 0; row < c.k.N; row += c.rows {
			b[wordX] = uintptr(unsafe.Add(args.Ptr[0], (from+row*c.k.Inner)*size))
			b[wordOut] = uintptr(unsafe.Add(args.Ptr[1], (from+row*c.k.Inner)*outSize))
			b[wordRows], b[wordFirst] = uintptr(min(c.rows, c.k.N-row)), uintptr(row)
			c.machine.Call(at)
		}
	}
	runtime.KeepAlive(args.Ptr)
}

// start fills accumulators with what folds to the first elements.
func (c *code) start(accumulators unsafe.Pointer, n int) {
	identity := c.fold.Identity(c.acc)
	if c.acc.Size() == 4 {
		list := unsafe.Slice((*uint32)(accumulators), n)
		for i := range list {
			list[i] = uint32(identity)
		}
		return
	}
	list := unsafe.Slice((*uint64)(accumulators), n)
	for i := range list {
		list[i] = identity
	}
}
