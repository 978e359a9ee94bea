package buf

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// FirstNaN returns the index of the first element that is not a number, or -1. Of complex
// numbers either part counts; integers and truth values always are numbers.
func (b *Buffer) FirstNaN() int {
	switch {
	case b.DType == dtype.F32:
		return firstUnequal(Slice[float32](b))
	case b.DType == dtype.F64:
		return firstUnequal(Slice[float64](b))
	case b.DType.IsFloat() || b.DType.IsComplex():
		for i := range b.Len() {
			if c := b.Complex(i); math.IsNaN(real(c)) || math.IsNaN(imag(c)) {
				return i
			}
		}
	}
	return -1
}

// firstUnequal returns the first element that differs from itself, which only NaN does.
func firstUnequal[T float32 | float64](data []T) int {
	for i, v := range data {
		if v != v {
			return i
		}
	}
	return -1
}
