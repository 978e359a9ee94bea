package tensor

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// Data returns the elements, row-major, computing them if need be. T must be the
// Go type of the tensor's dtype. The slice must not be modified. Another T panics with a [*DTypeError], and a value
// that cannot be computed with the error of its device.
func Data[T dtype.Go](t *Tensor) []T {
	if dtype.Of[T]() != t.DType() {
		raise(&DTypeError{Op: "data", Detail: fmt.Sprintf("a %v tensor has no %v elements",
			t.DType(), dtype.Of[T]())})
	}
	return buf.Slice[T](t.mustBuffer())
}

// Float32s returns a copy of the elements as float32, whatever the dtype.
func (t *Tensor) Float32s() []float32 {
	b := t.mustBuffer()
	out := make([]float32, b.Len())
	if b.DType == dtype.F32 {
		copy(out, buf.Slice[float32](b))
		return out
	}
	for i := range out {
		out[i] = float32(b.Float64(i))
	}
	return out
}

// Float64s returns a copy of the elements as float64, whatever the dtype.
func (t *Tensor) Float64s() []float64 {
	b := t.mustBuffer()
	out := make([]float64, b.Len())
	if b.DType == dtype.F64 {
		copy(out, buf.Slice[float64](b))
		return out
	}
	for i := range out {
		out[i] = b.Float64(i)
	}
	return out
}

// Int64s returns a copy of the elements as int64; fractions are cut.
func (t *Tensor) Int64s() []int64 {
	b := t.mustBuffer()
	out := make([]int64, b.Len())
	for i := range out {
		out[i] = b.Int64(i)
	}
	return out
}

// Bools returns a copy of the elements as x != 0.
func (t *Tensor) Bools() []bool {
	b := t.mustBuffer()
	out := make([]bool, b.Len())
	for i := range out {
		out[i] = b.Complex(i) != 0
	}
	return out
}

// Item returns the one element of a tensor of size 1. Another size panics with a [*ShapeError].
func (t *Tensor) Item() float64 {
	if t.NumElements() != 1 {
		raise(&ShapeError{Op: "item", Detail: fmt.Sprintf("a tensor of %d elements is no scalar",
			t.NumElements())})
	}
	return t.mustBuffer().Float64(0)
}
