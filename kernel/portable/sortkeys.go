package portable

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// keysFunc puts a word of the keys of a line's elements into the entries with their
// positions; 0 is the lower word of a key of two. Shorter keys have their bytes in front.
type keysFunc func(entries []uint64, x unsafe.Pointer, stride, word int)

// keysOf returns the function for a type and an order.
func keysOf(d dtype.DType, unsigned, descending bool) keysFunc {
	flip := uint64(0)
	if descending {
		flip = 1<<(8*d.Size()) - 1 // of 8 bytes, too: the shift gives 0
	}
	infinity := uint64(0)
	switch {
	case d.IsFloat():
		infinity = kernel.Bits(d, math.Inf(1))
	case !unsigned && d != dtype.Bool && d != dtype.U8:
		flip ^= 1 << (8*d.Size() - 1)
	}
	return [...]func(flip, infinity uint64) keysFunc{1: keysIn[uint8], 2: keysIn[uint16], 4: keysIn[uint32], 8: keysIn[uint64]}[d.Size()](flip, infinity)
}

// bitsOf are the bits of elements.
type bitsOf interface {
	uint8 | uint16 | uint32 | uint64
}

func keysIn[T bitsOf](flip, infinity uint64) keysFunc {
	return func(entries []uint64, x unsafe.Pointer, stride, word int) {
		putKeys(entries, x, stride, word, T(flip), T(infinity))
	}
}

// putKeys is a [keysFunc] for integers, or for floats if there is an infinity.
func putKeys[T bitsOf](entries []uint64, x unsafe.Pointer, stride, word int, flip, infinity T) {
	front := max(64-8*int(unsafe.Sizeof(flip)), 32)
	if infinity == 0 {
		for i, e := range entries {
			entries[i] = uint64(at[T](x, int(uint32(e))*stride)^flip)>>(32*word)<<front | uint64(uint32(e))
		}
		return
	}
	for i, e := range entries {
		key := floatKey(at[T](x, int(uint32(e))*stride), infinity) ^ flip
		entries[i] = uint64(key)>>(32*word)<<front | uint64(uint32(e))
	}
}

// floatKey makes a key of the bits of a float, which orders as the numbers do, given the bits of infinity; all NaNs are
// one key, the largest, and both zeros are one.
func floatKey[T bitsOf](b, infinity T) T {
	sign := ^(^T(0) >> 1)
	if b&^sign > infinity {
		return ^T(0)
	}
	if b == sign {
		b = 0
	}
	return b ^ (-(b >> (8*unsafe.Sizeof(b) - 1)) | sign) // no jump, as signs may be at random
}

// infinityOf returns the bits of the infinity of a half type.
func infinityOf(d dtype.DType) uint16 { return uint16(kernel.Bits(d, math.Inf(1))) }
