package onnx

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

// element is one of TensorProto's element types.
type element struct {
	name  string
	dtype dtype.DType // or Invalid; of narrowTypes a wider one
}

// elements are the types by their number in onnx.proto.
var elements = map[int64]element{
	1: {"float", dtype.F32}, 2: {"uint8", dtype.U8}, 3: {"int8", dtype.I8},
	4: {"uint16", dtype.U16}, 5: {"int16", dtype.I16}, 6: {"int32", dtype.I32},
	7: {"int64", dtype.I64}, elemString: {"string", dtype.Invalid}, 9: {"bool", dtype.Bool},
	10: {"float16", dtype.F16}, 11: {"double", dtype.F64}, 12: {"uint32", dtype.U32},
	13: {"uint64", dtype.U64}, 14: {"complex64", dtype.C64},
	15: {"complex128", dtype.C128}, 16: {"bfloat16", dtype.BF16},
	17: {"float8e4m3fn", dtype.F8E4M3FN}, 18: {"float8e4m3fnuz", dtype.F8E4M3FNUZ},
	19: {"float8e5m2", dtype.F8E5M2}, 20: {"float8e5m2fnuz", dtype.F8E5M2FNUZ},
	21: {"uint4", dtype.U8}, 22: {"int4", dtype.I8}, 23: {"float4e2m1", dtype.F32},
	24: {"float8e8m0", dtype.F32}, 25: {"uint2", dtype.U8}, 26: {"int2", dtype.I8},
}

// Numbers of element types that matter by themselves.
const elemUint16, elemBfloat16 = 4, 16

// dtypeOf returns the element type with a number of onnx.proto.
func dtypeOf(elem int64) (dtype.DType, error) {
	e, ok := elements[elem]
	switch {
	case !ok:
		return dtype.Invalid, fmt.Errorf("unknown element type %d", elem)
	case e.dtype == dtype.Invalid:
		return dtype.Invalid, fmt.Errorf("elements of type %s are not supported", e.name)
	}
	return e.dtype, nil
}

// extents returns the tensor's shape.
func (t *tensorProto) extents() ([]int, error) {
	if len(t.dims) > maxRank {
		return nil, fmt.Errorf("%d dimensions; up to %d are supported", len(t.dims), maxRank)
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

// strings returns the elements of a tensor of texts.
func (t *tensorProto) strings() (*Texts, error) {
	dims, err := t.extents()
	if err != nil {
		return nil, err
	}
	texts := &Texts{Shape: dims, Elements: t.texts}
	return texts, texts.check()
}

// buffer returns the tensor's elements. files opens external data; it may be nil.
func (t *tensorProto) buffer(d dtype.DType, dims []int, files opener) (b *buf.Buffer, err error) {
	packed, isNarrow := narrowTypes[t.elem]
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
			elements[t.elem].name, len(raw), stored)
	}
	if isNarrow {
		b = buf.New(d, dims)
		packed.unpack(raw, b)
		return b, nil
	}
	return buf.Wrap(d, dims, raw)
}

// listed returns elements that stand one by one in a field for their type.
func (t *tensorProto) listed(d dtype.DType, dims []int) (*buf.Buffer, error) {
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
			elements[t.elem].name, count/per)
	}
	b := buf.New(d, dims)
	for i := range b.Len() {
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
		case dtype.F8E4M3FN, dtype.F8E5M2, dtype.F8E4M3FNUZ, dtype.F8E5M2FNUZ: // the bits, as an integer
			b.Bytes()[i] = byte(t.ints[i])
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

// opener opens a file beside the model and returns its size.
type opener func(name string) (file io.ReaderAt, size int64, closeFile func() error, err error)

// readExternal reads the part of a file that external_data names.
func readExternal(entries map[string]string, want int, files opener) ([]byte, error) {
	location := entries["location"]
	if files == nil {
		return nil, fmt.Errorf("external data in %q: the model has no directory", location)
	}
	if !filepath.IsLocal(location) {
		return nil, fmt.Errorf("external data in %q, which is not beside the model", location)
	}
	number := func(key string, or int64) (int64, error) {
		text, ok := entries[key]
		if !ok {
			return or, nil
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return 0, fmt.Errorf("external data in %q: %s %q is no number of bytes", location, key, text)
		}
		return n, nil
	}
	offset, err := number("offset", 0)
	if err != nil {
		return nil, err
	}
	length, err := number("length", int64(want))
	if err != nil {
		return nil, err
	}
	file, size, closeFile, err := files(location)
	if err != nil {
		return nil, err
	}
	defer closeFile()
	if length != int64(want) || offset > size || length > size-offset {
		return nil, fmt.Errorf("external data in %q: %d bytes from %d on for a tensor of %d bytes; "+
			"the file has %d", location, length, offset, want, size)
	}
	data := buf.Aligned(want)
	if _, err := file.ReadAt(data, offset); err != nil && err != io.EOF {
		return nil, fmt.Errorf("external data in %q: %w", location, err)
	}
	return data, nil
}
