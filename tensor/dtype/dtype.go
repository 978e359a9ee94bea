package dtype

import "fmt"

// DType is the element type of a tensor.
type DType uint8

// The element types. The order inside a category is from narrow to wide.
const (
	Invalid DType = iota
	Bool
	U8
	I8
	I16
	I32
	I64
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

type info struct {
	short, torch, mlir string
	size               int
	category           Category
}

var infos = [numDTypes]info{
	Invalid: {"invalid", "invalid", "none", 0, CategoryBool},
	Bool:    {"bool", "bool", "i1", 1, CategoryBool},
	U8:      {"u8", "uint8", "ui8", 1, CategoryInt},
	I8:      {"i8", "int8", "i8", 1, CategoryInt},
	I16:     {"i16", "int16", "i16", 2, CategoryInt},
	I32:     {"i32", "int32", "i32", 4, CategoryInt},
	I64:     {"i64", "int64", "i64", 8, CategoryInt},
	F16:     {"f16", "float16", "f16", 2, CategoryFloat},
	BF16:    {"bf16", "bfloat16", "bf16", 2, CategoryFloat},
	F32:     {"f32", "float32", "f32", 4, CategoryFloat},
	F64:     {"f64", "float64", "f64", 8, CategoryFloat},
	C64:     {"c64", "complex64", "complex<f32>", 8, CategoryComplex},
	C128:    {"c128", "complex128", "complex<f64>", 16, CategoryComplex},
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
func (d DType) IsSigned() bool { return d != Bool && d != U8 && d != Invalid }

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

// Parse reads a short name ("f32") or PyTorch's ("float32", "torch.float32",
// "float", "double", "half", "long", "int", "short").
func Parse(name string) (DType, error) {
	if len(name) > 6 && name[:6] == "torch." {
		name = name[6:]
	}
	for d := Bool; d < numDTypes; d++ {
		if infos[d].short == name || infos[d].torch == name {
			return d, nil
		}
	}
	if d, ok := aliases[name]; ok {
		return d, nil
	}
	return Invalid, fmt.Errorf("dtype: unknown element type %q", name)
}

var aliases = map[string]DType{
	"float": F32, "double": F64, "half": F16, "long": I64, "int": I32, "short": I16,
	"i1": Bool, "ui8": U8, "cfloat": C64, "cdouble": C128,
}

// torchCodes are the values of c10::ScalarType, which serialized programs and
// ATen schemas use for dtype arguments.
var torchCodes = [numDTypes]int{
	Invalid: -1, U8: 0, I8: 1, I16: 2, I32: 3, I64: 4, F16: 5, F32: 6, F64: 7,
	C64: 9, C128: 10, Bool: 11, BF16: 15,
}

// TorchCode returns d's number in c10::ScalarType.
func (d DType) TorchCode() int { return torchCodes[d] }

// FromTorchCode is the inverse of [DType.TorchCode]; unknown numbers give Invalid.
func FromTorchCode(code int) DType {
	for d := Bool; d < numDTypes; d++ {
		if torchCodes[d] == code {
			return d
		}
	}
	return Invalid
}
