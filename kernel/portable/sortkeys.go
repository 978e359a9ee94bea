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
	switch d {
	case dtype.F64:
		return func(entries []uint64, x unsafe.Pointer, stride, word int) {
			for i, e := range entries {
				key := floatKey(at[float64](x, int(uint32(e))*stride)) ^ flip
				entries[i] = key>>(32*word)<<32 | uint64(uint32(e))
			}
		}
	case dtype.F32:
		return func(entries []uint64, x unsafe.Pointer, stride, _ int) {
			for i, e := range entries {
				key := uint64(float32Key(at[float32](x, int(uint32(e))*stride))) ^ flip
				entries[i] = key<<32 | uint64(uint32(e))
			}
		}
	case dtype.F16, dtype.BF16:
		infinity := infinityOf(d)
		return func(entries []uint64, x unsafe.Pointer, stride, _ int) {
			for i, e := range entries {
				key := uint64(halfKey(at[uint16](x, int(uint32(e))*stride), infinity)) ^ flip
				entries[i] = key<<48 | uint64(uint32(e))
			}
		}
	case dtype.Bool, dtype.U8:
		unsigned = true
	}
	if !unsigned {
		flip ^= 1 << (8*d.Size() - 1)
	}
	switch d.Size() {
	case 1:
		return integerKeys[uint8](flip)
	case 2:
		return integerKeys[uint16](flip)
	case 4:
		return integerKeys[uint32](flip)
	}
	return integerKeys[uint64](flip)
}

func integerKeys[T uint8 | uint16 | uint32 | uint64](flip uint64) keysFunc {
	return func(entries []uint64, x unsafe.Pointer, stride, word int) {
		putIntegers[T](entries, x, stride, word, flip)
	}
}

func putIntegers[T uint8 | uint16 | uint32 | uint64](entries []uint64, x unsafe.Pointer, stride, word int, flip uint64) {
	var t T
	front := max(64-8*int(unsafe.Sizeof(t)), 32)
	for i, e := range entries {
		key := uint64(at[T](x, int(uint32(e))*stride)) ^ flip
		entries[i] = key>>(32*word)<<front | uint64(uint32(e))
	}
}

// floatKey orders as the number does; all NaNs are one key, the largest, and both
// zeros are one.
func floatKey(v float64) uint64 {
	if v != v {
		return math.MaxUint64
	}
	b := math.Float64bits(v + 0) // -0 + 0 is 0
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

func float32Key(v float32) uint32 {
	if v != v {
		return math.MaxUint32
	}
	b := math.Float32bits(v + 0)
	return b ^ (uint32(int32(b)>>31) | 1<<31)
}

// halfKey is the key of a half by its bits and those of infinity.
func halfKey(b, infinity uint16) uint16 {
	switch {
	case b&math.MaxInt16 > infinity:
		return math.MaxUint16
	case b == 1<<15:
		b = 0
	}
	return b ^ (uint16(int16(b)>>15) | 1<<15)
}

// infinityOf returns the bits of the infinity of a half type.
func infinityOf(d dtype.DType) uint16 { return uint16(kernel.Bits(d, math.Inf(1))) }
