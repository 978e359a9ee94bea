package portable

import (
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
)

// randomCode draws random bits; a unit is a run of blocks of four words.
type randomCode struct{ k *kernel.Random }

// randomBlocks is how many blocks a unit has.
const randomBlocks = 256

func (c *randomCode) Units() int {
	const words = 4 * randomBlocks
	return (c.k.Out.Len + words - 1) / words
}

func (c *randomCode) UnitNanos() float64 { return 8 * randomBlocks }
func (c *randomCode) Scratch() int       { return 0 }
func (c *randomCode) Close()             {}
func (c *randomCode) Listing() string    { return "portable: Philox4x32-10\n" + c.k.String() }

func (c *randomCode) Run(args *kernel.Args, lo, hi int) {
	key, low := at[uint64](args.Ptr[0], 0), at[uint64](args.Ptr[1], 0)
	words := unsafe.Slice((*uint32)(args.Ptr[2]), c.k.Out.Len)
	for b := lo * randomBlocks; b < hi*randomBlocks && 4*b < len(words); b++ {
		counter := [4]uint32{uint32(low), uint32(low >> 32), uint32(b), uint32(uint64(b) >> 32)}
		block := kernel.Philox(counter, [2]uint32{uint32(key), uint32(key >> 32)})
		copy(words[4*b:], block[:])
	}
}
