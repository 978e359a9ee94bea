package buf

import "unsafe"

// LargePage is the size of the pages that processors have beside those of 4 KiB.
const LargePage = 2 << 20

// leastPopulated is how many bytes are worth a call of the system.
const leastPopulated = 64 << 10

// Lasting is [Aligned] for memory that is kept for long, such as packed weights: the system is asked for large
// pages, at whose multiples the memory starts if it is as large as one.
func Lasting(n int) []byte {
	if n < LargePage {
		return Aligned(n)
	}
	if err := CheckBytes(int64(n), "a piece of memory"); err != nil {
		panic(err)
	}
	raw := make([]byte, n+LargePage)
	shift := int(-uintptr(unsafe.Pointer(&raw[0])) & (LargePage - 1))
	b := raw[shift : shift+n : shift+n]
	advise(b[:n&^(LargePage-1)])
	return b
}

// Populate has the system provide all pages of memory at once, before the memory is filled: page by page, during the
// writes, takes longer than the filling. Several goroutines may populate parts of one memory. Parts that meet at
// multiples of [LargePage] do not wait for each other.
func Populate(b []byte) {
	if len(b) >= leastPopulated {
		populate(b)
	}
}
