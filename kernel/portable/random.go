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

func (c *randomCode) Units() int {
	return kernel.Pieces(c.words, 4*randomBlocks)
}

func (c *randomCode) UnitNanos() float64 { return 8 * randomBlocks }

func (c *randomCode) Run(args *kernel.Args, lo, hi int) {
	key, low := at[uint64](args.Ptr[0], 0), at[uint64](args.Ptr[1], 0)
	words := unsafe.Slice((*uint32)(args.Ptr[2]), c.words)
	b, end := lo*randomBlocks, min(hi*randomBlocks, (len(words)+3)/4)
	for ; b+1 < end && 4*b+8 <= len(words); b += 2 {
		philoxPair((*[8]uint32)(words[4*b:]), low, uint64(b), key)
	}
	for ; b < end; b++ {
		counter := [4]uint32{uint32(low), uint32(low >> 32), uint32(b), uint32(uint64(b) >> 32)}
		block := kernel.Philox(counter, [2]uint32{uint32(key), uint32(key >> 32)})
		copy(words[4*b:], block[:])
	}
}

// philoxPair is [kernel.Philox] for block b and the next, whose products the processor
// computes side by side.
func philoxPair(to *[8]uint32, low, b, key uint64) {
	k0, k1 := uint32(key), uint32(key>>32)
	x0, x1, x2, x3 := uint32(low), uint32(low>>32), uint32(b), uint32(b>>32)
	y0, y1, y2, y3 := x0, x1, uint32(b+1), uint32((b+1)>>32)
	for range kernel.PhiloxRounds {
		p, q := uint64(x0)*kernel.PhiloxM0, uint64(x2)*kernel.PhiloxM1
		r, s := uint64(y0)*kernel.PhiloxM0, uint64(y2)*kernel.PhiloxM1
		x0, x1, x2, x3 = uint32(q>>32)^x1^k0, uint32(q), uint32(p>>32)^x3^k1, uint32(p)
		y0, y1, y2, y3 = uint32(s>>32)^y1^k0, uint32(s), uint32(r>>32)^y3^k1, uint32(r)
		k0 += kernel.PhiloxW0
		k1 += kernel.PhiloxW1
	}
	*to = [8]uint32{x0, x1, x2, x3, y0, y1, y2, y3}
}
