package ops

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// number is what host operators compute in: float64 holds every floating type
// exactly, int64 every integer type but u64, and bool, and uint64 the unsigned ones.
type number interface{ int64 | uint64 | float64 }

// numbers returns the elements of b, converted.
func numbers[E number](b *buf.Buffer) []E {
	out := make([]E, b.Len())
	switch b.DType {
	case dtype.F32:
		convert(out, buf.Slice[float32](b))
	case dtype.F64:
		convert(out, buf.Slice[float64](b))
	case dtype.I64:
		convert(out, buf.Slice[int64](b))
	case dtype.I32:
		convert(out, buf.Slice[int32](b))
	case dtype.U64:
		convert(out, buf.Slice[uint64](b))
	default:
		for i := range out {
			if b.DType.IsFloat() {
				out[i] = E(b.Float64(i))
			} else {
				out[i] = E(b.Int64(i))
			}
		}
	}
	return out
}

// view returns the elements of b as numbers, where it can without a copy: they may only
// be read.
func view[E number](b *buf.Buffer) []E {
	if b.DType == dtype.Of[E]() {
		return buf.Slice[E](b)
	}
	return numbers[E](b)
}

// convert converts every element of from.
func convert[E number, F int32 | int64 | uint64 | float32 | float64](to []E, from []F) {
	for i, v := range from {
		to[i] = E(v)
	}
}

// fromNumbers makes a buffer of the given type.
func fromNumbers[E number](d dtype.DType, dims []int, values []E) *buf.Buffer {
	b := buf.New(d, dims)
	switch {
	case d == dtype.F32:
		to := buf.Slice[float32](b)
		for i, v := range values {
			to[i] = float32(v)
		}
	case d == dtype.I64:
		to := buf.Slice[int64](b)
		for i, v := range values {
			to[i] = int64(v)
		}
	case d.IsFloat():
		for i, v := range values {
			b.SetFloat64(i, float64(v))
		}
	default:
		for i, v := range values {
			b.SetInt64(i, int64(v))
		}
	}
	return b
}

// onNumbers is the Host of operators that compute in the type of argument 0.
func onNumbers(ints, floats hostFunc) hostFunc {
	return func(h *HostCall) ([]*buf.Buffer, error) {
		if h.DTypeOf(0).IsFloat() {
			return floats(h)
		}
		return ints(h)
	}
}

type hostFunc = func(h *HostCall) ([]*buf.Buffer, error)
