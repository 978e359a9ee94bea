package buf

import "unsafe"

// LargePage is the size of the large pages that processors have beside pages of 4 KiB.
const LargePage = 2 << 20

// leastLarge is how many bytes of large pages memory lies on whether it is kept for long or not: what is in front of
// the first page is at most half as much.
const leastLarge = 2 * LargePage

// leastPopulated is how many bytes are worth a call of the system.
const leastPopulated = 64 << 10

// Lasting is [Aligned] for memory that is kept for long, such as packed weights: it lies on large pages if it is as
// large as one. More than [Limit] panics with a [*MemoryError].
func Lasting(n int) []byte {
	if n < LargePage {
		return Aligned(n)
	}
	if err := CheckBytes(int64(n), "a piece of memory"); err != nil {
		panic(err)
	}
	return onLargePages(n)
}

// onLargePages returns n bytes, which is at least [LargePage] and has been checked, from a multiple of the size of
// large pages on.
func onLargePages(n int) []byte {
	pages := largePages(n)
	raw := make([]byte, max(n, pages)+LargePage)
	shift := int(-uintptr(unsafe.Pointer(&raw[0])) & (LargePage - 1))
	Advise(raw[shift : shift+pages])
	return raw[shift : shift+n : shift+n]
}

// largePages returns the bytes of the large pages that n bytes lie on. The last page counts if its unused part is at
// most an eighth of n.
func largePages(n int) int {
	rest := -n & (LargePage - 1)
	if rest <= n/8 {
		return n + rest
	}
	return n + rest - LargePage
}

// Populate has the system provide all pages of memory at once, before the memory is filled: page by page, during the
// writes, takes longer than the filling. Several goroutines may populate parts of one memory. Parts that meet at
// multiples of [LargePage] do not wait for each other.
func Populate(b []byte) {
	if len(b) >= leastPopulated {
		populate(b)
	}
}
