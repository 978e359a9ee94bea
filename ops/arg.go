package ops

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
)

// TensorType is the static type of a tensor value.
type TensorType struct {
	DType dtype.DType
	Shape []int
}

// Differentiable reports whether a tensor of the type may have a gradient: whether its
// elements are floating or complex.
func (t TensorType) Differentiable() bool { return t.DType.Category() >= dtype.CategoryFloat }

// Value is a tensor in a program under construction: a node of a trace, a value
// of MLIR, a handle that users hold. Two that are equal (==) are the same tensor.
type Value interface {
	Type() TensorType
}

// Kind says what an [Arg] holds.
type Kind uint8

// The kinds of arguments. KindNone is an absent optional.
const (
	KindNone Kind = iota
	KindTensor
	KindTensors
	KindInt
	KindFloat
	KindBool
	KindComplex
	KindInts
	KindFloats
	KindBools
	KindString
	KindDType
)

// Arg is one argument of a call. Make one with the functions below or [ArgOf].
type Arg struct {
	Kind Kind
	bits uint64
	held Value // a tensor, a [boxed] value, or a tensor whose element is the number; see [OpenArg]
}

// boxed is a list, a text or a complex number in the place of a tensor. An argument
// has one such place because every recorded call keeps some.
type boxed[T any] struct{ it T }

// Type implements [Value].
func (boxed[T]) Type() TensorType { panic("BUG: ops: not a tensor") }

// unboxed returns what an argument holds beside numbers and tensors, or a zero T.
func unboxed[T any](a *Arg) T {
	b, _ := a.held.(boxed[T])
	return b.it
}

// TensorArg holds a tensor; a nil value is an absent optional.
func TensorArg(v Value) Arg {
	if v == nil {
		return Arg{}
	}
	return Arg{Kind: KindTensor, held: v}
}

// TensorsArg holds a list of tensors; nil entries are absent optionals.
func TensorsArg(vs []Value) Arg { return Arg{Kind: KindTensors, held: boxed[[]Value]{vs}} }

// IntArg holds an int.
func IntArg(v int) Arg { return Arg{Kind: KindInt, bits: uint64(v)} }

// FloatArg holds a float.
func FloatArg(v float64) Arg { return Arg{Kind: KindFloat, bits: math.Float64bits(v)} }

// BoolArg holds a bool.
func BoolArg(v bool) Arg { return Arg{Kind: KindBool, bits: bit(v)} }

// ComplexArg holds a complex scalar.
func ComplexArg(v complex128) Arg { return Arg{Kind: KindComplex, held: boxed[complex128]{v}} }

// IntsArg holds a list of ints.
func IntsArg(v []int) Arg { return Arg{Kind: KindInts, held: boxed[[]int]{v}} }

// FloatsArg holds a list of floats.
func FloatsArg(v []float64) Arg { return Arg{Kind: KindFloats, held: boxed[[]float64]{v}} }

// BoolsArg holds a list of bools.
func BoolsArg(v []bool) Arg { return Arg{Kind: KindBools, held: boxed[[]bool]{v}} }

// StringArg holds a string.
func StringArg(v string) Arg { return Arg{Kind: KindString, held: boxed[string]{v}} }

// DTypeArg holds an element type.
func DTypeArg(d dtype.DType) Arg { return Arg{Kind: KindDType, bits: uint64(d)} }

// ArgOf converts a Go value: nil, Value, []Value, int, float64, bool, complex128,
// []int, []float64, []bool, string, dtype.DType, Scalar or an Arg itself.
func ArgOf(v any) Arg {
	switch v := v.(type) {
	case nil:
		return Arg{}
	case Arg:
		return v
	case Value:
		return TensorArg(v)
	case []Value:
		return TensorsArg(v)
	case int:
		return IntArg(v)
	case float64:
		return FloatArg(v)
	case bool:
		return BoolArg(v)
	case complex128:
		return ComplexArg(v)
	case []int:
		return IntsArg(v)
	case []float64:
		return FloatsArg(v)
	case []bool:
		return BoolsArg(v)
	case string:
		return StringArg(v)
	case dtype.DType:
		return DTypeArg(v)
	case Scalar:
		return v.Arg()
	}
	panic(fmt.Sprintf("BUG: ops: no argument of type %T", v))
}

// IsNone reports an absent optional.
func (a *Arg) IsNone() bool { return a.Kind == KindNone }

// Tensor returns the tensor, or nil.
func (a *Arg) Tensor() Value {
	if a.Kind != KindTensor {
		return nil
	}
	return a.held
}

// Tensors returns the list of tensors.
func (a *Arg) Tensors() []Value { return unboxed[[]Value](a) }

// SetTensor replaces the tensor of a KindTensor argument.
func (a *Arg) SetTensor(v Value) { a.held = v }

// Clone returns the argument with a list of its own.
func (a *Arg) Clone() Arg {
	switch a.Kind {
	case KindTensors:
		return TensorsArg(slices.Clone(a.Tensors()))
	case KindInts:
		return IntsArg(slices.Clone(a.Ints()))
	case KindFloats:
		return FloatsArg(slices.Clone(a.Floats()))
	case KindBools:
		return BoolsArg(slices.Clone(a.Bools()))
	}
	return *a
}

// Int returns the value as an int; floats are truncated.
func (a *Arg) Int() int {
	a.known()
	if a.Kind == KindFloat {
		return int(math.Float64frombits(a.bits))
	}
	return int(a.bits)
}

// Float returns the value as a float64.
func (a *Arg) Float() float64 {
	a.known()
	switch a.Kind {
	case KindFloat:
		return math.Float64frombits(a.bits)
	case KindComplex:
		return real(a.Complex())
	}
	return float64(int64(a.bits))
}

// Bits returns the bits of an int's or a float's value, which differ for different values.
func (a *Arg) Bits() uint64 { return a.bits }

// Complex returns the value as a complex128.
func (a *Arg) Complex() complex128 {
	if a.Kind == KindComplex {
		return unboxed[complex128](a)
	}
	return complex(a.Float(), 0)
}

// Bool returns the value as a bool.
func (a *Arg) Bool() bool { return a.Kind != KindNone && a.Float() != 0 }

// Ints returns the list of ints.
func (a *Arg) Ints() []int { return unboxed[[]int](a) }

// Floats returns the list of floats; a list of ints is converted.
func (a *Arg) Floats() []float64 {
	if ints := a.Ints(); ints != nil {
		out := make([]float64, len(ints))
		for i, v := range ints {
			out[i] = float64(v)
		}
		return out
	}
	return unboxed[[]float64](a)
}

// Bools returns the list of bools.
func (a *Arg) Bools() []bool { return unboxed[[]bool](a) }

// Text returns the string.
func (a *Arg) Text() string { return unboxed[string](a) }

// DType returns the element type, and dtype.Invalid if there is none. A number
// is read as a c10::ScalarType.
func (a *Arg) DType() dtype.DType {
	switch a.Kind {
	case KindDType:
		return dtype.DType(a.bits)
	case KindInt:
		return dtype.FromTorchCode(a.Int())
	}
	return dtype.Invalid
}

// Scalar returns a number with its kind.
func (a *Arg) Scalar() Scalar {
	if v := a.Open(); v != nil {
		return Scalar{kind: a.Kind, open: v}
	}
	return Scalar{kind: a.Kind, bits: a.bits, complex: a.Complex()}
}

// Scalar is a number whose kind (bool, int, float, complex) takes part in type promotion.
type Scalar struct {
	kind    Kind
	bits    uint64
	complex complex128
	open    Value // what has the value, see [OpenArg]
}

// Arg returns the scalar as an argument.
func (s Scalar) Arg() Arg {
	if s.kind == KindComplex {
		return ComplexArg(s.complex)
	}
	return Arg{Kind: s.kind, bits: s.bits, held: s.open}
}

// Kind returns KindBool, KindInt, KindFloat or KindComplex.
func (s Scalar) Kind() Kind { return s.kind }

// Float returns the value as a float64.
func (s Scalar) Float() float64 { a := s.Arg(); return a.Float() }

// Int returns the value as an int.
func (s Scalar) Int() int { a := s.Arg(); return a.Int() }

// Category returns the promotion category of the number.
func (s Scalar) Category() dtype.Category {
	switch s.kind {
	case KindBool:
		return dtype.CategoryBool
	case KindFloat:
		return dtype.CategoryFloat
	case KindComplex:
		return dtype.CategoryComplex
	}
	return dtype.CategoryInt
}

// DType returns the element type that a tensor made of the number alone has.
func (s Scalar) DType() dtype.DType {
	return [...]dtype.DType{dtype.Bool, dtype.I64, dtype.F32, dtype.C64}[s.Category()]
}
