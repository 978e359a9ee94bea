package safetensors

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// kinds are the element types by their names.
var kinds = map[string]dtype.DType{
	"BOOL": dtype.Bool, "U8": dtype.U8, "I8": dtype.I8, "U16": dtype.U16, "I16": dtype.I16, "U32": dtype.U32,
	"I32": dtype.I32, "U64": dtype.U64, "I64": dtype.I64, "F8_E4M3": dtype.F8E4M3FN, "F8_E5M2": dtype.F8E5M2,
	"F8_E4M3FNUZ": dtype.F8E4M3FNUZ, "F8_E5M2FNUZ": dtype.F8E5M2FNUZ, "F16": dtype.F16, "BF16": dtype.BF16,
	"F32": dtype.F32, "F64": dtype.F64, "C64": dtype.C64,
}

// typeOf returns the name of the type in which a dtype is written.
func typeOf(d dtype.DType) (string, error) {
	for name, k := range kinds {
		if k == d {
			return name, nil
		}
	}
	return "", fmt.Errorf("the format has no elements of type %v", d)
}

// readBools makes sure that every element is 0 or 1, on which kernels rely.
func readBools(b *buf.Buffer, data []byte) {
	for i, v := range data {
		b.Bytes()[i] = min(v, 1)
	}
}
