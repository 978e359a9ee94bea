package portable

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
)

// reader returns the function that reads element i of a buffer as a T.
func reader[T accumulator](d dtype.DType) func(p unsafe.Pointer, i int) T {
	switch d {
	case dtype.Bool, dtype.U8:
		return func(p unsafe.Pointer, i int) T { return T(at[uint8](p, i)) }
	case dtype.I8:
		return func(p unsafe.Pointer, i int) T { return T(at[int8](p, i)) }
	case dtype.I16:
		return func(p unsafe.Pointer, i int) T { return T(at[int16](p, i)) }
	case dtype.I32:
		return func(p unsafe.Pointer, i int) T { return T(at[int32](p, i)) }
	case dtype.I64:
		return func(p unsafe.Pointer, i int) T { return T(at[int64](p, i)) }
	case dtype.F16:
		return func(p unsafe.Pointer, i int) T { return T(halfToFloat32(at[uint16](p, i))) }
	case dtype.BF16:
		return func(p unsafe.Pointer, i int) T { return T(at[dtype.BFloat16](p, i).Float32()) }
	case dtype.F32:
		return func(p unsafe.Pointer, i int) T { return T(at[float32](p, i)) }
	}
	return func(p unsafe.Pointer, i int) T { return T(at[float64](p, i)) }
}
