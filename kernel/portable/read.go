package portable

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
)

// reader reads elements i, i + stride, … of a buffer into dst. Its loops know the type of the elements: a call for each
// element costs more than the element.
type reader[T accumulator] func(dst []T, p unsafe.Pointer, i, stride int)

// readerOf returns the reader of a type.
func readerOf[T accumulator](d dtype.DType) reader[T] {
	switch d {
	case dtype.F16:
		return func(dst []T, p unsafe.Pointer, i, stride int) {
			for k := range dst {
				dst[k] = T(halfToFloat32(at[uint16](p, i)))
				i += stride
			}
		}
	case dtype.BF16:
		return func(dst []T, p unsafe.Pointer, i, stride int) {
			for k := range dst {
				dst[k] = T(at[dtype.BFloat16](p, i).Float32())
				i += stride
			}
		}
	}
	return [...]reader[T]{dtype.Bool: readRun[uint8, T], dtype.U8: readRun[uint8, T], dtype.I8: readRun[int8, T], dtype.I16: readRun[int16, T],
		dtype.I32: readRun[int32, T], dtype.I64: readRun[int64, T], dtype.F32: readRun[float32, T], dtype.F64: readRun[float64, T]}[d]
}

func readRun[S number, T accumulator](dst []T, p unsafe.Pointer, i, stride int) {
	for k := range dst {
		dst[k] = T(at[S](p, i))
		i += stride
	}
}

// halfToFloat32 widens the bits of an f16. The bits of exponent and mantissa, moved to their places in an f32, are the
// number over 2¹¹²; infinities and NaN have all bits of the exponent.
func halfToFloat32(h uint16) float32 {
	bits := math.Float32bits(math.Float32frombits(uint32(h&0x7FFF)<<13) * 0x1p112)
	if h&0x7C00 == 0x7C00 {
		bits |= 0x7F800000
	}
	return math.Float32frombits(bits | uint32(h&0x8000)<<16)
}
