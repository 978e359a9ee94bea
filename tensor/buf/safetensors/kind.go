package safetensors

import (
	"encoding/binary"
	"fmt"

	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// kind is an element type of the format.
type kind struct {
	dtype dtype.DType // that holds all its values
	size  int         // bytes in the file
	// widen converts elements that the dtype has in another form; nil if it has the same.
	widen func(b *buf.Buffer, data []byte) error
}

// kinds are the element types by their names.
var kinds = map[string]kind{
	"BOOL": {dtype.Bool, 1, widenBool}, "U8": {dtype.U8, 1, nil}, "I8": {dtype.I8, 1, nil},
	"I16": {dtype.I16, 2, nil}, "I32": {dtype.I32, 4, nil}, "I64": {dtype.I64, 8, nil},
	"U16": {dtype.I32, 2, widenU16}, "U32": {dtype.I64, 4, widenU32}, "U64": {dtype.I64, 8, widenU64},
	"F16": {dtype.F16, 2, nil}, "BF16": {dtype.BF16, 2, nil}, "F32": {dtype.F32, 4, nil},
	"F64": {dtype.F64, 8, nil}, "C64": {dtype.C64, 8, nil},
	"F8_E4M3": {dtype.F16, 1, widenF8(dtype.Float8E4M3)}, "F8_E5M2": {dtype.F16, 1, widenF8(dtype.Float8E5M2)},
}

// typeOf returns the name of the type in which a dtype is written.
func typeOf(d dtype.DType) (string, error) {
	for name, k := range kinds {
		if k.dtype == d && (k.widen == nil || d == dtype.Bool) {
			return name, nil
		}
	}
	return "", fmt.Errorf("the format has no elements of type %v", d)
}

// widenBool makes sure that every element is 0 or 1, on which kernels rely.
func widenBool(b *buf.Buffer, data []byte) error {
	for i, v := range data {
		b.Bytes()[i] = min(v, 1)
	}
	return nil
}

func widenU16(b *buf.Buffer, data []byte) error {
	out := buf.Slice[int32](b)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint16(data[2*i:]))
	}
	return nil
}

func widenU32(b *buf.Buffer, data []byte) error {
	out := buf.Slice[int64](b)
	for i := range out {
		out[i] = int64(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return nil
}

func widenU64(b *buf.Buffer, data []byte) error {
	out := buf.Slice[int64](b)
	for i := range out {
		if out[i] = int64(binary.LittleEndian.Uint64(data[8*i:])); out[i] < 0 {
			return fmt.Errorf("element %d is %d, and i64 ends at 2^63-1", i, uint64(out[i]))
		}
	}
	return nil
}

func widenF8(to func(byte) float32) func(b *buf.Buffer, data []byte) error {
	return func(b *buf.Buffer, data []byte) error {
		var table [256]dtype.Float16
		for i := range table {
			table[i] = dtype.ToFloat16(to(byte(i)))
		}
		out := buf.Slice[dtype.Float16](b)
		for i := range out {
			out[i] = table[data[i]]
		}
		return nil
	}
}
