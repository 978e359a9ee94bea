package ops

import (
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// BufferValue is a tensor in host memory as a [Value].
type BufferValue struct{ *buf.Buffer }

// Type implements [Value].
func (v BufferValue) Type() TensorType { return TensorType{v.DType, v.Shape} }

// HostCall is a call whose tensors are in host memory: every Value of its
// arguments is a [BufferValue].
type HostCall struct{ *Call }

// Buffer returns tensor argument i, or nil if it is absent.
func (h *HostCall) Buffer(i int) *buf.Buffer {
	if v, ok := h.Tensor(i).(BufferValue); ok {
		return v.Buffer
	}
	return nil
}

// Buffers returns tensor list argument i; absent entries are nil.
func (h *HostCall) Buffers(i int) []*buf.Buffer {
	list := h.Tensors(i)
	out := make([]*buf.Buffer, len(list))
	for j, v := range list {
		if b, ok := v.(BufferValue); ok {
			out[j] = b.Buffer
		}
	}
	return out
}

// Floats returns the elements of b as float64.
func Floats(b *buf.Buffer) []float64 {
	out := make([]float64, b.Len())
	for i := range out {
		out[i] = b.Float64(i)
	}
	return out
}

// FromFloats makes a buffer of a floating type from float64 values.
func FromFloats(d dtype.DType, dims []int, values []float64) *buf.Buffer {
	b := buf.New(d, dims)
	for i, v := range values {
		b.SetFloat64(i, v)
	}
	return b
}
