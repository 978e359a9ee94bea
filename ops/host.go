package ops

import "github.com/go-acap/acap/base/buf"

// BufferValue is a tensor in host memory as a [Value].
type BufferValue struct{ *buf.Buffer }

// Type implements [Value].
func (v BufferValue) Type() TensorType { return TensorType{v.DType, v.Shape} }

// HostCall is a call whose tensors are in host memory: every Value of its
// arguments is a [BufferValue].
type HostCall struct{ *Call }

// Run computes the call. Its error has the operator's name and one of the types of this
// package.
func (h *HostCall) Run() (out []*buf.Buffer, err error) {
	if tried := Try(func() { out, err = h.Op.Host(h) }); tried != nil {
		err = tried
	}
	if err = h.wrap(err); err != nil && At(err, "") == nil {
		err = &ArgError{Op: h.Op.Name(), Detail: err.Error()}
	}
	return out, err
}

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

// valueBuffer returns an argument that is a tensor or a number.
func valueBuffer(h *HostCall, i int) *buf.Buffer {
	if b := h.Buffer(i); b != nil {
		return b
	}
	s := h.Scalar(i)
	b := buf.New(s.DType(), nil)
	if s.Kind() == KindInt {
		b.SetInt64(0, int64(s.Int()))
	} else {
		b.SetFloat64(0, s.Float())
	}
	return b
}
