package kernel

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// Identity returns the bits of the element that changes nothing when it is folded: 0 of a sum, 1 of a product, the
// least value of a maximum, NaN where NaN gives way. A position begins with the same value as the extreme.
func (r ReduceKind) Identity(d dtype.DType) uint64 {
	switch r {
	case ReduceProd:
		return Bits(d, 1)
	case ReduceAnd:
		if d == dtype.Bool {
			return 1
		}
		return ^uint64(0) >> (64 - 8*d.Size())
	case ReduceMaxNum, ReduceMinNum:
		if d.IsFloat() {
			return Bits(d, math.NaN())
		}
	}
	switch r {
	case ReduceMax, ReduceMaxNum, ReduceArgMax:
		return extremeBits(d, -1)
	case ReduceMin, ReduceMinNum, ReduceArgMin:
		return extremeBits(d, 1)
	}
	return Bits(d, 0)
}

// extremeBits returns the bits of the lowest (sign < 0) or highest value of a type.
func extremeBits(d dtype.DType, sign int) uint64 {
	switch {
	case d.IsFloat():
		return Bits(d, math.Inf(sign))
	case !d.IsSigned():
		if sign < 0 {
			return 0
		}
		return ^uint64(0) >> (64 - 8*d.Size())
	case sign < 0:
		return 1 << (d.Bits() - 1)
	}
	return 1<<(d.Bits()-1) - 1
}
