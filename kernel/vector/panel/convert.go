package panel

import (
	"math"
	"unsafe"

	"github.com/x448/float16"

	"github.com/go-acap/acap/base/dtype"
)

// converter returns a function that moves one element, converting it from type from to type to, which is from itself, an
// accumulator's type or i16.
func converter(from, to dtype.DType) func(dst, src unsafe.Pointer) {
	if from == to {
		return [...]func(d, s unsafe.Pointer){1: converted[uint8, uint8], 2: converted[int16, int16], 4: converted[int32, int32],
			8: converted[int64, int64]}[from.Size()]
	}
	switch {
	case from.IsFloat() && !to.IsFloat():
	case to == dtype.F32:
		return into[float32](from)
	case to == dtype.F64:
		return into[float64](from)
	case to == dtype.I16:
		return into[int16](from)
	case to == dtype.I32:
		return into[int32](from)
	case to == dtype.I64:
		return into[int64](from)
	}
	panic("BUG: panel: no conversion from " + from.String() + " to " + to.String())
}

type number interface {
	uint8 | int8 | int16 | int32 | int64 | float32 | float64
}

// into returns a function that moves an element of type from, converting it to a T.
func into[T number](from dtype.DType) func(d, s unsafe.Pointer) {
	switch from {
	case dtype.Bool, dtype.U8:
		return converted[T, uint8]
	case dtype.I8:
		return converted[T, int8]
	case dtype.I16:
		return converted[T, int16]
	case dtype.I32:
		return converted[T, int32]
	case dtype.I64:
		return converted[T, int64]
	case dtype.F32:
		return converted[T, float32]
	case dtype.F64:
		return converted[T, float64]
	case dtype.BF16:
		return func(d, s unsafe.Pointer) { *(*T)(d) = T(math.Float32frombits(uint32(*(*uint16)(s)) << 16)) }
	case dtype.F16:
		return func(d, s unsafe.Pointer) { *(*T)(d) = T(float16.Frombits(*(*uint16)(s)).Float32()) }
	}
	panic("BUG: panel: no elements of type " + from.String())
}

func converted[T, S number](d, s unsafe.Pointer) { *(*T)(d) = T(*(*S)(s)) }
