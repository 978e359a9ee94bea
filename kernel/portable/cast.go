package portable

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
)

// castStep converts register a of type from to register d of type to.
func castStep(d, a int, to, from dtype.DType) step {
	s := arithmeticOf[from].cast(d, a, to)
	if isHalf(to) && from != to {
		return func(f *frame) {
			s(f)
			round(to, lanesOf[float32](f, d))
		}
	}
	return s
}

func (numbers[S]) cast(d, a int, to dtype.DType) step {
	if to == dtype.Bool {
		return toBool[S](d, a)
	}
	return [...]func(d, a int) step{dtype.U8: convert[uint8, S], dtype.I8: convert[int8, S], dtype.I16: convert[int16, S], dtype.I32: convert[int32, S],
		dtype.I64: convert[int64, S], dtype.F32: convert[float32, S], dtype.F64: convert[float64, S]}[widened(to)](d, a)
}

// convert converts lanes. Floats become integers by way of int64, so that narrow integers wrap alike on all processors.
func convert[D, S number](d, a int) step {
	if hasFractions[S]() && !hasFractions[D]() {
		return func(f *frame) {
			to, from := lanesOf[D](f, d), lanesOf[S](f, a)
			for i := range to {
				to[i] = D(whole(float64(from[i])))
			}
		}
	}
	return func(f *frame) {
		to, from := lanesOf[D](f, d), lanesOf[S](f, a)
		for i := range to {
			to[i] = D(from[i])
		}
	}
}

// hasFractions reports whether T is a type of floats.
func hasFractions[T number]() bool { return T(1)/T(2) != 0 }

// whole cuts the fraction of a number. A number that does not fit an int64 becomes the least int64 on all processors,
// as NaN does: Go leaves this to each.
func whole(x float64) int64 {
	if x >= -0x1p63 && x < 0x1p63 {
		return int64(x)
	}
	return math.MinInt64
}

func toBool[S number](d, a int) step {
	return func(f *frame) {
		to, from := lanesOf[uint8](f, d), lanesOf[S](f, a)
		for i := range to {
			to[i] = truth(from[i] != 0)
		}
	}
}

// bitcastStep keeps the bits: the lanes are stored as one type and read as the other.
func bitcastStep(d, a int, to, from dtype.DType) step {
	size := to.Size()
	return func(f *frame) {
		var memory [Lanes * 8]byte
		p := unsafe.Pointer(&memory)
		storeLanes(from, f.reg[a], p, 1, f.n)
		if isHalf(to) {
			loadLanes(to, f.reg[d], p, 1, f.n)
			return
		}
		copy(unsafe.Slice((*byte)(f.reg[d]), f.n*size), memory[:])
	}
}
