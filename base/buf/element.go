package buf

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
)

// Float64 returns element i as a float64 (the real part of a complex one). It
// is for printing, tests and small host work, not for kernels.
func (b *Buffer) Float64(i int) float64 {
	if b.DType.IsFloat8() {
		return float64(dtype.Float8Value(b.DType, b.bytes[i]))
	}
	switch b.DType {
	case dtype.F16:
		return float64(Slice[dtype.Float16](b)[i].Float32())
	case dtype.BF16:
		return float64(Slice[dtype.BFloat16](b)[i].Float32())
	case dtype.F32:
		return float64(Slice[float32](b)[i])
	case dtype.F64:
		return Slice[float64](b)[i]
	case dtype.C64, dtype.C128:
		return real(b.Complex(i))
	case dtype.U64:
		return float64(Slice[uint64](b)[i])
	}
	return float64(b.Int64(i))
}

// Int64 returns element i as an int64; floating values are truncated, and u64 wraps.
func (b *Buffer) Int64(i int) int64 {
	switch b.DType {
	case dtype.Bool, dtype.U8:
		return int64(b.bytes[i])
	case dtype.I8:
		return int64(int8(b.bytes[i]))
	case dtype.U16:
		return int64(Slice[uint16](b)[i])
	case dtype.I16:
		return int64(Slice[int16](b)[i])
	case dtype.U32:
		return int64(Slice[uint32](b)[i])
	case dtype.I32:
		return int64(Slice[int32](b)[i])
	case dtype.U64:
		return int64(Slice[uint64](b)[i])
	case dtype.I64:
		return Slice[int64](b)[i]
	}
	return int64(b.Float64(i))
}

// Complex returns element i as a complex128.
func (b *Buffer) Complex(i int) complex128 {
	switch b.DType {
	case dtype.C64:
		return complex128(Slice[complex64](b)[i])
	case dtype.C128:
		return Slice[complex128](b)[i]
	}
	return complex(b.Float64(i), 0)
}

// SetFloat64 stores v, converted as PyTorch's casts do: halves are rounded to
// nearest even, integers truncated, bool is v != 0.
func (b *Buffer) SetFloat64(i int, v float64) {
	if b.DType.IsFloat8() {
		b.bytes[i] = dtype.Float8Bits(b.DType, float32(v))
		return
	}
	switch b.DType {
	case dtype.F16:
		Slice[dtype.Float16](b)[i] = dtype.ToFloat16(float32(v))
	case dtype.BF16:
		Slice[dtype.BFloat16](b)[i] = dtype.ToBFloat16(float32(v))
	case dtype.F32:
		Slice[float32](b)[i] = float32(v)
	case dtype.F64:
		Slice[float64](b)[i] = v
	case dtype.C64:
		Slice[complex64](b)[i] = complex(float32(v), 0)
	case dtype.C128:
		Slice[complex128](b)[i] = complex(v, 0)
	case dtype.Bool:
		b.bytes[i] = 0
		if v != 0 {
			b.bytes[i] = 1
		}
	default:
		if b.DType == dtype.U64 && v >= 1<<63 {
			Slice[uint64](b)[i] = uint64(v)
			return
		}
		b.SetInt64(i, int64(v))
	}
}

// SetInt64 stores v, wrapped to the width of the type; bool is v != 0.
func (b *Buffer) SetInt64(i int, v int64) {
	switch b.DType {
	case dtype.Bool:
		b.bytes[i] = 0
		if v != 0 {
			b.bytes[i] = 1
		}
	case dtype.U8, dtype.I8:
		b.bytes[i] = byte(v)
	case dtype.U16:
		Slice[uint16](b)[i] = uint16(v)
	case dtype.I16:
		Slice[int16](b)[i] = int16(v)
	case dtype.U32:
		Slice[uint32](b)[i] = uint32(v)
	case dtype.I32:
		Slice[int32](b)[i] = int32(v)
	case dtype.U64:
		Slice[uint64](b)[i] = uint64(v)
	case dtype.I64:
		Slice[int64](b)[i] = v
	default:
		b.SetFloat64(i, float64(v))
	}
}

// SetComplex stores v; a real type keeps the real part.
func (b *Buffer) SetComplex(i int, v complex128) {
	switch b.DType {
	case dtype.C64:
		Slice[complex64](b)[i] = complex64(v)
	case dtype.C128:
		Slice[complex128](b)[i] = v
	default:
		b.SetFloat64(i, real(v))
	}
}

// Cast returns the elements converted to d, as PyTorch's `to` does.
func (b *Buffer) Cast(d dtype.DType) *Buffer {
	if d == b.DType {
		return b
	}
	out := New(d, b.Shape)
	for i := range b.Len() {
		switch {
		case b.DType.IsComplex():
			out.SetComplex(i, b.Complex(i))
		case b.DType.IsFloat() || b.DType == dtype.U64 && d.IsFloat():
			out.SetFloat64(i, b.Float64(i))
		default:
			out.SetInt64(i, b.Int64(i))
		}
	}
	return out
}

// GoString describes the buffer without its elements.
func (b *Buffer) GoString() string { return fmt.Sprintf("buf %v%v", b.DType, b.Shape) }
