package mlir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// Type is an MLIR type. Types are immutable; [SameType] compares them.
type Type interface {
	// String returns the type as MLIR writes it.
	String() string
}

// Signedness of an integer type. MLIR's standard integers are signless.
type Signedness uint8

// The three kinds of integers: i32, si32, ui32.
const (
	Signless Signedness = iota
	Signed
	Unsigned
)

type (
	// IntegerType is i1, i32, si8, ui8, …
	IntegerType struct {
		Width      int
		Signedness Signedness
	}
	// FloatType is f16, bf16, f32, f64, f80, f128, tf32 or an f8 variant.
	FloatType struct{ Name string }
	// IndexType is index.
	IndexType struct{}
	// NoneType is none.
	NoneType struct{}
	// ComplexType is complex<T>.
	ComplexType struct{ Elem Type }
	// FunctionType is (A, B) -> C.
	FunctionType struct{ Inputs, Results []Type }
	// TupleType is tuple<A, B>.
	TupleType struct{ Elems []Type }
	// TensorType is tensor<2x?xf32>; an extent of [Dynamic] prints as "?".
	TensorType struct {
		Shape    []int
		Elem     Type
		Encoding Attribute // nil if absent
	}
	// UnrankedTensorType is tensor<*xf32>.
	UnrankedTensorType struct{ Elem Type }
	// MemRefType is memref<2x3xf32, layout, space>.
	MemRefType struct {
		Shape  []int
		Elem   Type
		Layout Attribute // nil if absent
		Space  Attribute // nil if absent
	}
	// UnrankedMemRefType is memref<*xf32, space>.
	UnrankedMemRefType struct {
		Elem  Type
		Space Attribute
	}
	// VectorType is vector<4x[8]xf32>.
	VectorType struct {
		Shape    []int
		Scalable []bool
		Elem     Type
	}
	// OpaqueType is a type of a dialect that has no Go form: !Dialect.Text, or
	// !Dialect<…> where Text begins with "<".
	OpaqueType struct{ Dialect, Text string }
)

// Dynamic is the extent that prints as "?".
const Dynamic = -1

// The types that programs use most.
var (
	I1    = IntegerType{Width: 1}
	I8    = IntegerType{Width: 8}
	I16   = IntegerType{Width: 16}
	I32   = IntegerType{Width: 32}
	I64   = IntegerType{Width: 64}
	UI8   = IntegerType{Width: 8, Signedness: Unsigned}
	F16   = FloatType{"f16"}
	BF16  = FloatType{"bf16"}
	F32   = FloatType{"f32"}
	F64   = FloatType{"f64"}
	Index = IndexType{}
)

func (t IntegerType) String() string {
	return [...]string{"i", "si", "ui"}[t.Signedness] + strconv.Itoa(t.Width)
}
func (t FloatType) String() string   { return t.Name }
func (IndexType) String() string     { return "index" }
func (NoneType) String() string      { return "none" }
func (t ComplexType) String() string { return "complex<" + t.Elem.String() + ">" }

func (t FunctionType) String() string {
	in, out := joinTypes(t.Inputs), joinTypes(t.Results)
	if len(t.Results) == 1 {
		if _, isFunc := t.Results[0].(FunctionType); !isFunc {
			return "(" + in + ") -> " + out
		}
	}
	return "(" + in + ") -> (" + out + ")"
}

func (t TupleType) String() string { return "tuple<" + joinTypes(t.Elems) + ">" }

func (t TensorType) String() string {
	s := "tensor<" + extents(t.Shape, nil) + t.Elem.String()
	if t.Encoding != nil {
		s += ", " + t.Encoding.String()
	}
	return s + ">"
}

func (t UnrankedTensorType) String() string { return "tensor<*x" + t.Elem.String() + ">" }

func (t MemRefType) String() string {
	s := "memref<" + extents(t.Shape, nil) + t.Elem.String()
	for _, a := range []Attribute{t.Layout, t.Space} {
		if a != nil {
			s += ", " + withoutDefaultType(a)
		}
	}
	return s + ">"
}

func (t UnrankedMemRefType) String() string {
	s := "memref<*x" + t.Elem.String()
	if t.Space != nil {
		s += ", " + withoutDefaultType(t.Space)
	}
	return s + ">"
}

func (t VectorType) String() string {
	return "vector<" + extents(t.Shape, t.Scalable) + t.Elem.String() + ">"
}

func (t OpaqueType) String() string {
	if strings.HasPrefix(t.Text, "<") {
		return "!" + t.Dialect + t.Text
	}
	return "!" + t.Dialect + "." + t.Text
}

func joinTypes(types []Type) string {
	parts := make([]string, len(types))
	for i, t := range types {
		parts[i] = t.String()
	}
	return strings.Join(parts, ", ")
}

// extents returns the dimensions, an x behind each.
func extents(shape []int, scalable []bool) string {
	var dst []byte
	for i, n := range shape {
		switch {
		case n == Dynamic:
			dst = append(dst, '?')
		case i < len(scalable) && scalable[i]:
			dst = append(strconv.AppendInt(append(dst, '['), int64(n), 10), ']')
		default:
			dst = strconv.AppendInt(dst, int64(n), 10)
		}
		dst = append(dst, 'x')
	}
	return string(dst)
}

// ElemType returns the MLIR element type of a dtype: bool is i1, u8 is ui8.
func ElemType(d dtype.DType) Type {
	if t := elemTypes[d]; t != nil {
		return t
	}
	return elemTypeOf(d)
}

// elemTypes has the type of every valid dtype, so that asking for it takes no memory.
var elemTypes = func() (list [1 << 8]Type) {
	for _, d := range dtype.All() {
		list[d] = elemTypeOf(d)
	}
	return list
}()

func elemTypeOf(d dtype.DType) Type {
	switch {
	case d == dtype.Bool:
		return I1
	case d == dtype.C64:
		return ComplexType{F32}
	case d == dtype.C128:
		return ComplexType{F64}
	case d.IsInt() && !d.IsSigned():
		return IntegerType{Width: d.Bits(), Signedness: Unsigned}
	case d.IsInt():
		return IntegerType{Width: d.Bits()}
	}
	return FloatType{d.MLIR()}
}

// DTypeOf returns the dtype of an element type, and Invalid if there is none.
func DTypeOf(t Type) dtype.DType {
	switch t := t.(type) {
	case FloatType:
		d, _ := dtype.Parse(t.Name)
		return d
	case ComplexType:
		switch {
		case SameType(t.Elem, F64):
			return dtype.C128
		case SameType(t.Elem, F32):
			return dtype.C64
		}
	case IntegerType:
		return integerDType(t)
	case IndexType:
		return dtype.I64
	}
	return dtype.Invalid
}

// CheckNumber refuses a type whose numbers have no dtype: programs do not compute with them.
func CheckNumber(t Type) error {
	switch elem := ElementOf(t).(type) {
	case IntegerType, FloatType, ComplexType:
		if !DTypeOf(elem).Valid() {
			return fmt.Errorf("programs compute with i1, i8, i16, i32, i64, bf16, f16, f32, f64, floats of 8 bits and complex numbers of f32 and f64, "+
				"not with %s", elem)
		}
	}
	return nil
}

func integerDType(t IntegerType) dtype.DType {
	if t.Width == 1 {
		return dtype.Bool
	}
	for _, d := range integers {
		if d.Bits() == t.Width && !d.IsSigned() == (t.Signedness == Unsigned) {
			return d
		}
	}
	return dtype.Invalid
}

var integers = slices.DeleteFunc(dtype.All(), func(d dtype.DType) bool { return !d.IsInt() })

// Tensor returns the tensor type of a dtype and a static shape.
func Tensor(d dtype.DType, shape []int) TensorType {
	return TensorType{Shape: shape, Elem: ElemType(d)}
}

// BitWidth returns the bits of an integer or a floating-point type; 0 for types
// without a fixed width.
func BitWidth(t Type) int {
	switch t := t.(type) {
	case IntegerType:
		return t.Width
	case FloatType:
		return t.Width()
	}
	return 0
}
