package portable

import (
	"math/bits"
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

func init() { register(compileSearch) }

// searchCode looks for values in lines; a unit is a block of the values of one line.
type searchCode struct {
	described
	searcher
	k      *kernel.Search
	width  int // values of a block
	blocks int // of the values of a line
}

// searchWidth bounds a block.
const searchWidth = 512

func compileSearch(k *kernel.Search, _ bool) kernel.Code {
	c := &searchCode{described{how: "binary search", kernel: k}, elementsOf(k.Sequence.DType, k.Unsigned).(searcher), k, max(1, min(k.M, searchWidth)), 0}
	c.blocks = (k.M + c.width - 1) / c.width
	return c
}

// searcher is the part of [elements] that searches: halves have none.
type searcher interface {
	// search gives count values their places in a line of n elements: to the right of equal elements, or to their left.
	search(right bool, line unsafe.Pointer, n int, values, places unsafe.Pointer, count int)
}

func (plain[T, A]) search(right bool, line unsafe.Pointer, n int, values, places unsafe.Pointer, count int) {
	seq, out := unsafe.Slice((*T)(line), n), unsafe.Slice((*int64)(places), count)
	for i, x := range unsafe.Slice((*T)(values), count) {
		out[i] = int64(placeOf(seq, x, right))
	}
}

// placeOf is the number of elements of a sorted line that come before a value. No step depends on a comparison by a
// jump, which a processor would guess wrong every other time.
func placeOf[T element](seq []T, x T, right bool) int {
	low, n := 0, uint(len(seq))
	for n > 0 {
		half := int(n+1) / 2
		n -= uint(half)
		y, before := seq[low+half-1], 0
		if right {
			if !(y > x) {
				before = 1
			}
		} else if !(y >= x) {
			before = 1
		}
		low += half & -before
	}
	return low
}

func (c *searchCode) Units() int         { return c.k.Outer * c.blocks }
func (c *searchCode) UnitNanos() float64 { return 2 * float64(c.width*bits.Len(uint(c.k.N))) }

func (c *searchCode) Run(args *kernel.Args, lo, hi int) {
	size := c.k.Sequence.DType.Size()
	for u := lo; u < hi; u++ {
		line, first := u/c.blocks, u%c.blocks*c.width
		at := line*c.k.M + first
		c.search(c.k.Right, unsafe.Add(args.Ptr[1], line*c.k.N*size), c.k.N, unsafe.Add(args.Ptr[0], at*size),
			unsafe.Add(args.Ptr[2], at*8), min(c.width, c.k.M-first))
	}
}
