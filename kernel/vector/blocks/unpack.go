package blocks

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// unpackCode is the values of blocks. A unit is a run of them.
type unpackCode struct {
	*Decoder // of a unit at a time
	k        *kernel.Unpack
	perUnit  int // blocks
}

// unpackValues is about how many values a unit has.
const unpackValues = 16384

// CompileUnpack makes code that reads blocks.
func CompileUnpack(k *kernel.Unpack, t vector.Backend) (kernel.Code, error) {
	f := k.X.Format
	c := &unpackCode{k: k, perUnit: max(1, min(unpackValues/f.Block(), k.Blocks()))}
	var err error
	if c.Decoder, err = NewDecoder(f, k.Blocks()*f.Block(), c.perUnit*f.Block(), t); err != nil {
		return nil, err
	}
	c.Count, c.Nanos = kernel.Pieces(k.Blocks(), c.perUnit), 0.3*float64(c.each)
	return c, nil
}

func (c *unpackCode) Run(args *kernel.Args, lo, hi int) {
	f := c.k.X.Format
	for u := lo; u < hi; u++ {
		first := u * c.perUnit
		n := min(c.perUnit, c.k.Blocks()-first) * f.Block()
		c.Decode(args.Scratch, unsafe.Add(args.Ptr[0], first*f.Bytes()), unsafe.Add(args.Ptr[1], 4*first*f.Block()), n)
	}
}
