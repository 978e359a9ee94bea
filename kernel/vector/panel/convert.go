package panel

import (
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/x448/float16"

	"github.com/go-acap/acap/base/dtype"
)

// Converter returns a function that moves one element, converting it from type from to type to,
// which is from itself, an accumulator's type or i16. It is made once: a unit of work asks for it and
// may not allocate.
func Converter(from, to dtype.DType) func(dst, src unsafe.Pointer) {
	known := &converters[from][to]
	if move := known.Load(); move != nil {
		return *move
	}
	move := newConverter(from, to)
	known.Store(&move)
	return move
}

// converters are those that were asked for, by types.
var converters [32][32]atomic.Pointer[func(dst, src unsafe.Pointer)]

func newConverter(from, to dtype.DType) func(dst, src unsafe.Pointer) {
	if from == to {
		switch from.Size() {
		case 1:
			return func(d, s unsafe.Pointer) { *(*uint8)(d) = *(*uint8)(s) }
		case 2:
			return func(d, s unsafe.Pointer) { *(*uint16)(d) = *(*uint16)(s) }
		case 4:
			return func(d, s unsafe.Pointer) { *(*uint32)(d) = *(*uint32)(s) }
		default:
			return func(d, s unsafe.Pointer) { *(*uint64)(d) = *(*uint64)(s) }
		}
	}
	switch to {
	case dtype.F32:
		read := readFloat(from)
		return func(d, s unsafe.Pointer) { *(*float32)(d) = float32(read(s)) }
	case dtype.F64:
		read := readFloat(from)
		return func(d, s unsafe.Pointer) { *(*float64)(d) = read(s) }
	case dtype.I16:
		read := readInt(from)
		return func(d, s unsafe.Pointer) { *(*int16)(d) = int16(read(s)) }
	case dtype.I32:
		read := readInt(from)
		return func(d, s unsafe.Pointer) { *(*int32)(d) = int32(read(s)) }
	case dtype.I64:
		read := readInt(from)
		return func(d, s unsafe.Pointer) { *(*int64)(d) = read(s) }
	}
	panic("BUG: panel: no conversion from " + from.String() + " to " + to.String())
}

// readFloat returns a function that reads an element of type t as f64.
func readFloat(t dtype.DType) func(unsafe.Pointer) float64 {
	switch t {
	case dtype.F32:
		return func(p unsafe.Pointer) float64 { return float64(*(*float32)(p)) }
	case dtype.F64:
		return func(p unsafe.Pointer) float64 { return *(*float64)(p) }
	case dtype.BF16:
		return func(p unsafe.Pointer) float64 {
			return float64(math.Float32frombits(uint32(*(*uint16)(p)) << 16))
		}
	case dtype.F16:
		return func(p unsafe.Pointer) float64 {
			return float64(float16.Frombits(*(*uint16)(p)).Float32())
		}
	}
	read := readInt(t)
	return func(p unsafe.Pointer) float64 { return float64(read(p)) }
}

// readInt returns a function that reads an element of type t as i64.
func readInt(t dtype.DType) func(unsafe.Pointer) int64 {
	switch t {
	case dtype.Bool, dtype.U8:
		return func(p unsafe.Pointer) int64 { return int64(*(*uint8)(p)) }
	case dtype.I8:
		return func(p unsafe.Pointer) int64 { return int64(*(*int8)(p)) }
	case dtype.I16:
		return func(p unsafe.Pointer) int64 { return int64(*(*int16)(p)) }
	case dtype.I32:
		return func(p unsafe.Pointer) int64 { return int64(*(*int32)(p)) }
	case dtype.I64:
		return func(p unsafe.Pointer) int64 { return *(*int64)(p) }
	}
	panic("BUG: panel: no integers of type " + t.String())
}
