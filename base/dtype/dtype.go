package dtype

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype/float"
)

// DType is the element type of a tensor.
type DType uint8

// The element types. The order inside a category is from narrow to wide.
const (
	Invalid DType = iota
	Bool
	U8
	I8
	U16
	I16
	U32
	I32
	U64
	I64
	F8E4M3FN // the floats of 8 bits are types of storage: see the package's text
	F8E5M2
	F8E4M3FNUZ
	F8E5M2FNUZ
	F8E8M0FNU // powers of two, the scales of blocks
	F16
	BF16
	F32
	F64
	C64
	C128
	numDTypes
)

// Category orders the kinds of types for promotion.
type Category uint8

// The categories, lowest first.
const (
	CategoryBool Category = iota
	CategoryInt
	CategoryFloat
	CategoryComplex
)

// info has all facts of an element type: names, codes in files, and what its bits mean. The rest follows.
type info struct {
	short, torch, mlir string
	safetensors        string // the name in safetensors, or none
	code               int    // in c10::ScalarType
	schema             int    // in the schema of torch.export; 0 for none
	size               int
	category           Category
	unsigned           bool
	format             float.Format // of real floats
}

var infos = [numDTypes]info{
	Invalid:    {"invalid", "invalid", "none", "", -1, 0, 0, CategoryBool, true, float.Format{}},
	Bool:       {"bool", "bool", "i1", "BOOL", 11, 12, 1, CategoryBool, true, float.Format{}},
	U8:         {"u8", "uint8", "ui8", "U8", 0, 1, 1, CategoryInt, true, float.Format{}},
	I8:         {"i8", "int8", "i8", "I8", 1, 2, 1, CategoryInt, false, float.Format{}},
	U16:        {"u16", "uint16", "ui16", "U16", 27, 28, 2, CategoryInt, true, float.Format{}},
	I16:        {"i16", "int16", "i16", "I16", 2, 3, 2, CategoryInt, false, float.Format{}},
	U32:        {"u32", "uint32", "ui32", "U32", 28, 34, 4, CategoryInt, true, float.Format{}},
	I32:        {"i32", "int32", "i32", "I32", 3, 4, 4, CategoryInt, false, float.Format{}},
	U64:        {"u64", "uint64", "ui64", "U64", 29, 35, 8, CategoryInt, true, float.Format{}},
	I64:        {"i64", "int64", "i64", "I64", 4, 5, 8, CategoryInt, false, float.Format{}},
	F8E4M3FN:   {"f8e4m3fn", "float8_e4m3fn", "f8E4M3FN", "F8_E4M3", 24, 29, 1, CategoryFloat, false, float.E4M3FN},
	F8E5M2:     {"f8e5m2", "float8_e5m2", "f8E5M2", "F8_E5M2", 23, 30, 1, CategoryFloat, false, float.E5M2},
	F8E4M3FNUZ: {"f8e4m3fnuz", "float8_e4m3fnuz", "f8E4M3FNUZ", "F8_E4M3FNUZ", 26, 31, 1, CategoryFloat, false, float.E4M3FNUZ},
	F8E5M2FNUZ: {"f8e5m2fnuz", "float8_e5m2fnuz", "f8E5M2FNUZ", "F8_E5M2FNUZ", 25, 32, 1, CategoryFloat, false, float.E5M2FNUZ},
	F8E8M0FNU:  {"f8e8m0fnu", "float8_e8m0fnu", "f8E8M0FNU", "F8_E8M0", 44, 33, 1, CategoryFloat, true, float.E8M0FNU},
	F16:        {"f16", "float16", "f16", "F16", 5, 6, 2, CategoryFloat, false, float.F16},
	BF16:       {"bf16", "bfloat16", "bf16", "BF16", 15, 13, 2, CategoryFloat, false, float.BF16},
	F32:        {"f32", "float32", "f32", "F32", 6, 7, 4, CategoryFloat, false, float.F32},
	F64:        {"f64", "float64", "f64", "F64", 7, 8, 8, CategoryFloat, false, float.F64},
	C64:        {"c64", "complex64", "complex<f32>", "C64", 9, 10, 8, CategoryComplex, false, float.Format{}},
	C128:       {"c128", "complex128", "complex<f64>", "", 10, 11, 16, CategoryComplex, false, float.Format{}},
}

// String returns the short name, for example "f32".
func (d DType) String() string {
	if d >= numDTypes {
		return fmt.Sprintf("dtype(%d)", uint8(d))
	}
	return infos[d].short
}

// Torch returns PyTorch's name without the "torch." prefix, for example "float32".
func (d DType) Torch() string { return infos[d].torch }

// MLIR returns the element type as MLIR writes it in tensors of the aten
// dialect: u8 is "ui8", bool is "i1".
func (d DType) MLIR() string { return infos[d].mlir }

// Safetensors returns the name in files of safetensors, or "" if these have no such elements.
func (d DType) Safetensors() string { return infos[d].safetensors }

// FromSafetensors is the inverse of [DType.Safetensors]; unknown names give Invalid.
func FromSafetensors(name string) DType {
	return find(func(i *info) bool { return name != "" && i.safetensors == name })
}

// Size returns the bytes of one element in memory; bool takes one byte.
func (d DType) Size() int { return infos[d].size }

// Bits returns the width that MLIR gives the type: 1 for bool.
func (d DType) Bits() int {
	if d == Bool {
		return 1
	}
	return 8 * infos[d].size
}

// Category returns the promotion category.
func (d DType) Category() Category { return infos[d].category }

// IsFloat reports whether d is a real floating-point type.
func (d DType) IsFloat() bool { return infos[d].category == CategoryFloat }

// IsComplex reports whether d is complex.
func (d DType) IsComplex() bool { return infos[d].category == CategoryComplex }

// IsInt reports whether d is an integer type; bool is not.
func (d DType) IsInt() bool { return infos[d].category == CategoryInt }

// IsSigned reports whether d has negative values.
func (d DType) IsSigned() bool { return !infos[d].unsigned }

// IsFloat8 reports whether d is a float of 8 bits, a type of storage.
func (d DType) IsFloat8() bool { return d.IsFloat() && d.Size() == 1 }

// Format returns how the bits of a real floating-point type stand for numbers.
func (d DType) Format() float.Format { return infos[d].format }

// Signless returns the type that holds the bits of d where integers have no sign, as in MLIR's
// arithmetic: the signed one of the same width for an unsigned integer or a float of 8 bits,
// and d for all others.
func (d DType) Signless() DType {
	if d.IsFloat8() || d.IsInt() && !d.IsSigned() {
		return signed[d.Size()]
	}
	return d
}

// signed are the signed integers by their bytes.
var signed = map[int]DType{1: I8, 2: I16, 4: I32, 8: I64}

// Valid reports whether d is one of the types above.
func (d DType) Valid() bool { return d > Invalid && d < numDTypes }

// All returns every valid type, narrow to wide within a category.
func All() []DType {
	all := make([]DType, 0, numDTypes-1)
	for d := Bool; d < numDTypes; d++ {
		all = append(all, d)
	}
	return all
}

// Parse reads a short name ("f32"), PyTorch's ("float32", "torch.float32", "float", "double",
// "half", "long", "int", "short"), or MLIR's ("f8E5M2", "ui8"). Another name is an error.
func Parse(name string) (DType, error) {
	if len(name) > 6 && name[:6] == "torch." {
		name = name[6:]
	}
	if d, ok := names[name]; ok {
		return d, nil
	}
	return Invalid, fmt.Errorf("dtype: unknown element type %q", name)
}

// names has the types by every name that [Parse] reads.
var names = func() map[string]DType {
	all := map[string]DType{
		"float": F32, "double": F64, "half": F16, "long": I64, "int": I32, "short": I16,
		"cfloat": C64, "cdouble": C128,
	}
	for d := Bool; d < numDTypes; d++ {
		for _, name := range []string{infos[d].short, infos[d].torch, infos[d].mlir} {
			all[name] = d
		}
	}
	return all
}()

// TorchCode returns d's number in c10::ScalarType, which serialized programs and ATen schemas use
// for dtype arguments.
func (d DType) TorchCode() int { return infos[d].code }

// FromTorchCode is the inverse of [DType.TorchCode]; unknown numbers give Invalid.
func FromTorchCode(code int) DType {
	return find(func(i *info) bool { return i.code == code })
}

// FromSchemaCode returns the type with a number in the schema of torch.export; unknown numbers give Invalid.
func FromSchemaCode(code int) DType {
	return find(func(i *info) bool { return code != 0 && i.schema == code })
}

// find returns the first type that meets a condition, or Invalid.
func find(is func(*info) bool) DType {
	for d := Bool; d < numDTypes; d++ {
		if is(&infos[d]) {
			return d
		}
	}
	return Invalid
}
