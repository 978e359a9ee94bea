package portable

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

func init() {
	register(func(k *kernel.Random, _ bool) kernel.Code {
		return &randomCode{described{how: "Philox4x32-10", kernel: k}, k.Out.Len}
	})
}

// randomCode draws random bits; a unit is a run of blocks of four words.
type randomCode struct {
	described
	words int
}

// randomBlocks is how many blocks a unit has.
const randomBlocks = 256

func (c *randomCode) Units() int { return kernel.Pieces(c.words, 4*randomBlocks) }

func (c *randomCode) UnitNanos() float64 { return 8 * randomBlocks }

func (c *randomCode) Run(args *kernel.Args, lo, hi int) {
	key, low := at[uint64](args.Ptr[0], 0), at[uint64](args.Ptr[1], 0)
	words := unsafe.Slice((*uint32)(args.Ptr[2]), c.words)
	for b := lo * randomBlocks; b < min(hi*randomBlocks, kernel.Pieces(c.words, 4)); b++ {
		counter := [4]uint32{uint32(low), uint32(low >> 32), uint32(b), uint32(uint64(b) >> 32)}
		block := kernel.Philox(counter, [2]uint32{uint32(key), uint32(key >> 32)})
		copy(words[4*b:], block[:])
	}
}
