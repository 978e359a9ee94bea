package blocks

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// unpackCode is the values of blocks. A unit is a run of them.
type unpackCode struct {
	kernel.OnePhase
	k       *kernel.Unpack
	perUnit int      // blocks
	whole   *Decoder // of a unit
	last    *Decoder // of one with fewer blocks, nil if there is none
}

// unpackValues is about how many values a unit has.
const unpackValues = 16384

// CompileUnpack makes code that reads blocks.
func CompileUnpack(k *kernel.Unpack, t vector.Backend) (kernel.Code, error) {
	f := k.X.Format
	c := &unpackCode{k: k, perUnit: max(1, min(unpackValues/f.Block(), k.Blocks()))}
	var err error
	if c.whole, err = NewDecoder(f, c.perUnit*f.Block(), t); err != nil {
		return nil, err
	}
	if rest := k.Blocks() % c.perUnit; rest > 0 {
		if c.last, err = NewDecoder(f, rest*f.Block(), t); err != nil {
			c.whole.Close()
			return nil, err
		}
	}
	return c, nil
}

// Units implements [kernel.Code].
func (c *unpackCode) Units() int { return kernel.Pieces(c.k.Blocks(), c.perUnit) }

// UnitNanos implements [kernel.Code].
func (c *unpackCode) UnitNanos() float64 { return 0.3 * float64(c.perUnit*c.k.X.Format.Block()) }

// Scratch implements [kernel.Code].
func (c *unpackCode) Scratch() int {
	if c.last == nil {
		return c.whole.Scratch()
	}
	return max(c.whole.Scratch(), c.last.Scratch())
}

// Listing implements [kernel.Code].
func (c *unpackCode) Listing() string { return c.whole.Listing() }

// Close implements [kernel.Code].
func (c *unpackCode) Close() {
	c.whole.Close()
	if c.last != nil {
		c.last.Close()
	}
}

// Run implements [kernel.Code].
func (c *unpackCode) Run(args *kernel.Args, lo, hi int) {
	f := c.k.X.Format
	for u := lo; u < hi; u++ {
		d, first := c.whole, u*c.perUnit
		if first+c.perUnit > c.k.Blocks() {
			d = c.last
		}
		d.Decode(args.Scratch, unsafe.Add(args.Ptr[0], first*f.Bytes()), unsafe.Add(args.Ptr[1], 4*first*f.Block()))
	}
}
