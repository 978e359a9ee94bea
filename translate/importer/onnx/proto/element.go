package proto

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/dtype"
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
	7: {"int64", dtype.I64}, ElemString: {"string", dtype.Invalid}, 9: {"bool", dtype.Bool},
	10: {"float16", dtype.F16}, 11: {"double", dtype.F64}, 12: {"uint32", dtype.U32},
	13: {"uint64", dtype.U64}, 14: {"complex64", dtype.C64},
	15: {"complex128", dtype.C128}, 16: {"bfloat16", dtype.BF16},
	17: {"float8e4m3fn", dtype.F8E4M3FN}, 18: {"float8e4m3fnuz", dtype.F8E4M3FNUZ},
	19: {"float8e5m2", dtype.F8E5M2}, 20: {"float8e5m2fnuz", dtype.F8E5M2FNUZ},
	21: {"uint4", dtype.U8}, 22: {"int4", dtype.I8}, 23: {"float4e2m1", dtype.F32},
	24: {"float8e8m0", dtype.F8E8M0FNU}, 25: {"uint2", dtype.U8}, 26: {"int2", dtype.I8},
}

// Numbers of element types that matter by themselves.
const (
	elemUint16   = 4
	ElemString   = 8
	elemBfloat16 = 16
	ElemE2M1     = 23
)

// DTypeOf returns the element type with a number of onnx.proto. An unknown number is an error, and so is a type that
// acap does not have.
func DTypeOf(elem int64) (dtype.DType, error) {
	e, ok := elements[elem]
	switch {
	case !ok:
		return dtype.Invalid, fmt.Errorf("unknown element type %d", elem)
	case e.dtype == dtype.Invalid:
		return dtype.Invalid, fmt.Errorf("elements of type %s are not supported", e.name)
	}
	return e.dtype, nil
}

// ElementName returns the name of an element type with a number of onnx.proto.
func ElementName(elem int64) string { return elements[elem].name }

// ElementNamed returns the number of an element type by its name in onnx.proto, such as FLOAT; ok is false if there is
// none.
func ElementNamed(name string) (elem int64, ok bool) {
	for number, e := range elements {
		if strings.ToUpper(e.name) == name {
			return number, true
		}
	}
	return 0, false
}

// ElementOf returns the number of an element type in onnx.proto, 0 if it has none.
func ElementOf(d dtype.DType) int64 {
	for number, e := range elements {
		if e.dtype == d && !IsNarrow(number) {
			return number
		}
	}
	return 0
}
