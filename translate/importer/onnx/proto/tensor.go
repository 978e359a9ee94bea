package proto

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// MaxRank bounds the dimensions of a tensor.
const MaxRank = 64

// extents returns the tensor's shape.
func (t *Tensor) extents() ([]int, error) {
	if len(t.dims) > MaxRank {
		return nil, fmt.Errorf("%d dimensions; up to %d are supported", len(t.dims), MaxRank)
	}
	dims := make([]int, len(t.dims))
	for i, n := range t.dims {
		if n < 0 || n > shape.MaxElements {
			return nil, fmt.Errorf("extent %d", n)
		}
		dims[i] = int(n)
	}
	return dims, shape.Check(dims)
}

// Strings returns the elements of a tensor of texts. Extents of another number of texts are an error, which names the
// tensor.
func (t *Tensor) Strings() (*Texts, error) {
	dims, err := t.extents()
	if err != nil {
		return nil, t.wrap(err)
	}
	if shape.Size(dims) != len(t.texts) {
		return nil, t.wrap(fmt.Errorf("%s of texts has %d elements", shape.String(dims), len(t.texts)))
	}
	return &Texts{Shape: dims, Elements: t.texts}, nil
}

// wrap says of which tensor an error is.
func (t *Tensor) wrap(err error) error {
	return fmt.Errorf("byte %d: tensor %q: %w", t.at, t.Name, err)
}

// Loader makes buffers of tensors as long as all of them together are not too large: many tensors may be the same
// part of a file.
type Loader struct {
	Open Opener // of external data; nil if there can be none
	held int64  // bytes of all tensors
}

// Buffer returns the elements of a tensor of numbers. Errors name the tensor: an unknown type, another number of bytes
// than its extents say, or a file that cannot be read.
func (l *Loader) Buffer(t *Tensor) (*buf.Buffer, error) {
	b, err := l.buffer(t)
	if err != nil {
		return nil, t.wrap(err)
	}
	return b, nil
}

func (l *Loader) buffer(t *Tensor) (*buf.Buffer, error) {
	d, err := DTypeOf(t.Elem)
	if err != nil {
		return nil, err
	}
	dims, err := t.extents()
	if err != nil {
		return nil, err
	}
	l.held = buf.AddBytes(l.held, buf.MulBytes(int64(shape.Size(dims)), int64(d.Size())))
	if t.external != nil {
		if err := buf.CheckBytes(l.held, "the model"); err != nil {
			return nil, err
		}
	}
	return t.buffer(d, dims, l.Open)
}

// buffer returns the tensor's elements. files opens external data; it may be nil.
func (t *Tensor) buffer(d dtype.DType, dims []int, files Opener) (b *buf.Buffer, err error) {
	packed, isNarrow := narrowTypes[t.Elem]
	stored := shape.Size(dims) * d.Size()
	if isNarrow {
		stored = packed.size(shape.Size(dims))
	}
	raw := t.raw
	switch {
	case t.external != nil:
		if raw, err = readExternal(t.external, stored, files); err != nil {
			return nil, err
		}
	case !t.hasRaw && isNarrow: // bytes, as integers
		raw = make([]byte, len(t.ints))
		for i, v := range t.ints {
			raw[i] = byte(v)
		}
	case !t.hasRaw:
		return t.listed(d, dims)
	}
	if len(raw) != stored {
		return nil, fmt.Errorf("%s of %s has %d bytes, not %d", shape.String(dims),
			elements[t.Elem].name, len(raw), stored)
	}
	if isNarrow {
		b = buf.New(d, dims)
		packed.unpack(raw, b)
		return b, nil
	}
	return buf.Wrap(d, dims, raw)
}

// listed returns elements that stand one by one in a field for their type.
func (t *Tensor) listed(d dtype.DType, dims []int) (*buf.Buffer, error) {
	per := 1
	if d.IsComplex() {
		per = 2
	}
	count := len(t.ints)
	switch {
	case d == dtype.F32 || d == dtype.C64:
		count = len(t.words32)
	case d == dtype.F64 || d == dtype.C128:
		count = len(t.words64)
	}
	if count != per*shape.Size(dims) {
		return nil, fmt.Errorf("%s of %s has %d elements", shape.String(dims),
			elements[t.Elem].name, count/per)
	}
	b := buf.New(d, dims)
	for i := range b.Len() {
		if d.IsFloat8() { // the bits, as an integer
			b.Bytes()[i] = byte(t.ints[i])
			continue
		}
		switch d {
		case dtype.F32:
			b.SetFloat64(i, float64(math.Float32frombits(t.words32[i])))
		case dtype.F64:
			b.SetFloat64(i, math.Float64frombits(t.words64[i]))
		case dtype.C64:
			b.SetComplex(i, complex(float64(math.Float32frombits(t.words32[2*i])),
				float64(math.Float32frombits(t.words32[2*i+1]))))
		case dtype.C128:
			b.SetComplex(i, complex(math.Float64frombits(t.words64[2*i]),
				math.Float64frombits(t.words64[2*i+1])))
		case dtype.F16, dtype.BF16:
			bits := uint16(t.ints[i])
			b.Bytes()[2*i], b.Bytes()[2*i+1] = byte(bits), byte(bits>>8)
		default:
			b.SetInt64(i, t.ints[i])
		}
	}
	return b, nil
}

func floatsOf(words []uint32, list []float32) []float32 {
	for _, w := range words {
		list = append(list, math.Float32frombits(w))
	}
	return list
}
