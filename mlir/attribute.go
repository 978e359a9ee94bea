package mlir

import "math"

// DynamicStride is the unknown stride, offset or size that attributes hold: it
// prints as "?" in layouts and as this number in static_offsets arrays.
const DynamicStride = math.MinInt64

// Attribute is a compile-time constant of an operation. Attributes are immutable.
type Attribute interface {
	// String returns the attribute as MLIR writes it.
	String() string
}

type (
	// IntegerAttr is 1 : i64; with type i1 it prints as true or false.
	IntegerAttr struct {
		Value int64
		Type  Type
	}
	// FloatAttr is 1.000000e+00 : f32.
	FloatAttr struct {
		Value float64
		Type  Type
	}
	// StringAttr is "text".
	StringAttr string
	// UnitAttr is present or absent: unit.
	UnitAttr struct{}
	// ArrayAttr is [a, b].
	ArrayAttr []Attribute
	// DictAttr is {a = 1, b = 2}.
	DictAttr Attrs
	// TypeAttr is a type as an attribute.
	TypeAttr struct{ Type Type }
	// SymbolRefAttr is @f or @f::@g.
	SymbolRefAttr []string
	// DenseArrayAttr is array<i64: 1, 2>. Floats are kept as float64 values.
	DenseArrayAttr struct {
		Elem   Type
		Ints   []int64   // for integer elements and i1
		Floats []float64 // for floating elements
	}
	// AffineMapAttr is affine_map<(d0) -> (d0)>.
	AffineMapAttr struct{ Map AffineMap }
	// AffineSetAttr is affine_set<(d0) : (d0 >= 0)>.
	AffineSetAttr struct{ Set AffineSet }
	// StridedAttr is strided<[4, 1], offset: 2>, the layout of a memref. An
	// unknown stride or offset is [DynamicStride].
	StridedAttr struct {
		Offset  int
		Strides []int
	}
	// DenseAttr is dense<…> : tensor<…>. Data holds the elements row-major,
	// little-endian, bool as one byte each; a splat holds a single element.
	DenseAttr struct {
		Type Type // TensorType or VectorType
		Data []byte
	}
	// ResourceAttr is dense_resource<key> : tensor<…>; the bytes stand in the
	// module's resource section and are shared, not copied.
	ResourceAttr struct {
		Key  string
		Type Type
		Data []byte // same layout as DenseAttr; nil until resolved
	}
	// LocationAttr is a location as an attribute: loc("f.go":1:2).
	LocationAttr struct{ Loc Location }
	// OpaqueAttr is text of a dialect or form that has no Go type; Text is
	// printed as it was read, for example "#aten.foo<1>".
	OpaqueAttr struct {
		Text string // with the type, if it has one
		Type Type   // nil if it has none
	}
)

// Named is one entry of an attribute dictionary.
type Named struct {
	Name  string
	Value Attribute
}

// Attrs is an ordered attribute dictionary. The printer keeps the order.
type Attrs []Named

// Get returns the attribute of a name, or nil.
func (a Attrs) Get(name string) Attribute {
	for i := range a {
		if a[i].Name == name {
			return a[i].Value
		}
	}
	return nil
}

// With returns the dictionary with name set to value; a is not modified.
func (a Attrs) With(name string, value Attribute) Attrs {
	out := make(Attrs, 0, len(a)+1)
	found := false
	for _, n := range a {
		if n.Name == name {
			n.Value, found = value, true
		}
		out = append(out, n)
	}
	if !found {
		out = append(out, Named{name, value})
	}
	return out
}

// Without returns the dictionary without name; a is not modified.
func (a Attrs) Without(name string) Attrs {
	out := make(Attrs, 0, len(a))
	for _, n := range a {
		if n.Name != name {
			out = append(out, n)
		}
	}
	return out
}

// TypeOf returns the type of a typed attribute, or nil: numbers, elements,
// resources.
func TypeOf(a Attribute) Type {
	switch a := a.(type) {
	case IntegerAttr:
		return a.Type
	case FloatAttr:
		return a.Type
	case DenseAttr:
		return a.Type
	case ResourceAttr:
		return a.Type
	case OpaqueAttr:
		return a.Type
	}
	return nil
}

// Int returns an i64 attribute.
func Int(v int) IntegerAttr { return IntegerAttr{int64(v), I64} }

// Bool returns an i1 attribute.
func Bool(v bool) IntegerAttr {
	if v {
		return IntegerAttr{1, I1}
	}
	return IntegerAttr{0, I1}
}

// Float returns an attribute of a floating type.
func Float(v float64, t Type) FloatAttr { return FloatAttr{v, t} }

// Ints returns a dense array attribute of i64.
func Ints(values []int) DenseArrayAttr {
	a := DenseArrayAttr{Elem: I64, Ints: make([]int64, len(values))}
	for i, v := range values {
		a.Ints[i] = int64(v)
	}
	return a
}

// IntList reads a list of integers in any of its spellings: array<i64: …>,
// dense<…> of integers, or an array of integer attributes.
func IntList(a Attribute) ([]int, bool) {
	switch a := a.(type) {
	case DenseArrayAttr:
		out := make([]int, len(a.Ints))
		for i, v := range a.Ints {
			out[i] = int(v)
		}
		return out, a.Floats == nil
	case ArrayAttr:
		out := make([]int, len(a))
		for i, e := range a {
			n, ok := e.(IntegerAttr)
			if !ok {
				return nil, false
			}
			out[i] = int(n.Value)
		}
		return out, true
	case DenseAttr:
		if a.Len() <= maxIntList {
			return a.Int()
		}
	}
	return nil, false
}

// maxIntList bounds the elements of a tensor that is read as a list: a splat of a few
// bytes may stand for any number.
const maxIntList = 1 << 24

// RoundedFloat returns an attribute of a floating type with the value rounded to it.
func RoundedFloat(v float64, t Type) FloatAttr {
	if f, ok := formatOf(t); ok {
		v = f.Round(v)
	}
	return FloatAttr{v, t}
}
