package panel

import (
	"math"
	"unsafe"

	"github.com/x448/float16"

	"github.com/go-acap/acap/base/dtype"
)

// converter returns a function that moves one element, converting it from type from to type to, which is from itself, an
// accumulator's type or i16. Floats become floats alone.
func converter(from, to dtype.DType) func(dst, src unsafe.Pointer) {
	if from == to {
		return [...]func(d, s unsafe.Pointer){1: converted[uint8, uint8], 2: converted[int16, int16], 4: converted[int32, int32],
			8: converted[int64, int64]}[from.Size()]
	}
	return [...]func(from dtype.DType) func(d, s unsafe.Pointer){dtype.I16: into[int16], dtype.I32: into[int32], dtype.I64: into[int64],
		dtype.F32: into[float32], dtype.F64: into[float64]}[to](from)
}

type number interface {
	uint8 | int8 | int16 | int32 | int64 | float32 | float64
}

// into returns a function that moves an element of type from, converting it to a T.
func into[T number](from dtype.DType) func(d, s unsafe.Pointer) {
	return [...]func(d, s unsafe.Pointer){
		dtype.Bool: converted[T, uint8], dtype.U8: converted[T, uint8], dtype.I8: converted[T, int8], dtype.I16: converted[T, int16],
		dtype.I32: converted[T, int32], dtype.I64: converted[T, int64], dtype.F32: converted[T, float32], dtype.F64: converted[T, float64],
		dtype.BF16: func(d, s unsafe.Pointer) { *(*T)(d) = T(math.Float32frombits(uint32(*(*uint16)(s)) << 16)) },
		dtype.F16:  func(d, s unsafe.Pointer) { *(*T)(d) = T(float16.Frombits(*(*uint16)(s)).Float32()) },
	}[from]
}

func converted[T, S number](d, s unsafe.Pointer) { *(*T)(d) = T(*(*S)(s)) }
