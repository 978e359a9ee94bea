package buf

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
)

// SwapBytes reverses the bytes of every number in data, which turns big-endian elements into
// little-endian ones. A complex element is two numbers. Bytes after the last whole number stay.
func SwapBytes(data []byte, d dtype.DType) {
	width := d.Size()
	if d.IsComplex() {
		width /= 2
	}
	if width <= 1 {
		return
	}
	for number := range slices.Chunk(data[:len(data)/width*width], width) {
		slices.Reverse(number)
	}
}

// Gather returns a buffer with the elements of a strided view of data. The strides are in elements,
// one for each of dims; the first element of data is that at index 0. It panics if the view reaches
// beyond data.
func Gather(d dtype.DType, dims []int, data []byte, strides []int) *Buffer {
	width := d.Size()
	b := New(d, dims)
	out := b.Bytes()
	index := make([]int, len(dims))
	from := 0
	for to := 0; to < len(out); to += width {
		copy(out[to:to+width], data[from*width:(from+1)*width])
		for i := len(dims) - 1; i >= 0; i-- {
			index[i]++
			from += strides[i]
			if index[i] < dims[i] {
				break
			}
			from -= index[i] * strides[i]
			index[i] = 0
		}
	}
	return b
}
