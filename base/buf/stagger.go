package buf

import "sync/atomic"

// Go's large pieces of memory all start at the start of a page. The caches of processors choose the place of a byte by
// its address within a page of 4 KiB, so that kernels that read and write several such pieces in step have them meet in
// the same places: a sum of two tensors of 4 MB takes 8 to 10 % longer on a Zen 3 than with pieces that start at
// different offsets.

const (
	// leastStaggered is how many bytes a piece has whose start is staggered: an offset adds at most 3 % to the piece.
	leastStaggered = 128 << 10
	page           = 4 << 10
	// step is the difference of the offsets of two pieces in a row, as a multiple of [Alignment] near the golden section
	// of a page: any three pieces in a row are 896 bytes apart, and 64 in a row have 64 offsets.
	step = 39 * Alignment
)

// staggered counts the pieces.
var staggered atomic.Uint32

// stagger returns the offset within a page at which the next piece of n bytes starts, or 0 if n is small.
func stagger(n int) int {
	if n < leastStaggered {
		return 0
	}
	return int(staggered.Add(1)) * step % page
}
