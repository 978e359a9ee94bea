package dtype

import "reflect"

// Go lists the Go types whose slices hold tensor elements.
type Go interface {
	bool | uint8 | int8 | uint16 | int16 | uint32 | int32 | uint64 | int64 |
		float8 | Float16 | BFloat16 | float32 | float64 | complex64 | complex128
}

// Of returns the element type of a Go type.
func Of[T Go]() DType {
	var zero T
	return OfValue(any(zero))
}

// OfValue returns the element type of a Go value, and Invalid for others.
func OfValue(v any) DType {
	switch v.(type) {
	case bool:
		return Bool
	case uint8:
		return U8
	case int8:
		return I8
	case uint16:
		return U16
	case int16:
		return I16
	case uint32:
		return U32
	case int32:
		return I32
	case uint64:
		return U64
	case int64, int:
		return I64
	case Float16:
		return F16
	case BFloat16:
		return BF16
	case float32:
		return F32
	case float64:
		return F64
	case complex64:
		return C64
	case complex128:
		return C128
	}
	return float8Types[reflect.TypeOf(v)]
}
