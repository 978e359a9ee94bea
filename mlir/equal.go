package mlir

import (
	"bytes"
	"slices"
)

// SameType reports whether two types are equal.
func SameType(a, b Type) bool {
	switch x := a.(type) {
	case nil:
		return false
	case IntegerType:
		y, ok := b.(IntegerType)
		return ok && x == y
	case FloatType:
		y, ok := b.(FloatType)
		return ok && x == y
	case IndexType:
		_, ok := b.(IndexType)
		return ok
	case OpaqueType:
		y, ok := b.(OpaqueType)
		return ok && x == y
	case TensorType:
		y, ok := b.(TensorType)
		return ok && slices.Equal(x.Shape, y.Shape) && SameType(x.Elem, y.Elem) &&
			SameAttr(x.Encoding, y.Encoding)
	}
	return b != nil && a.String() == b.String()
}

// SameTypes reports whether two lists of types are equal.
func SameTypes(a, b []Type) bool { return slices.EqualFunc(a, b, SameType) }

// SameAttr reports whether two attributes are equal; nil equals nil only.
func SameAttr(a, b Attribute) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case StringAttr:
		y, ok := b.(StringAttr)
		return ok && x == y
	case UnitAttr:
		_, ok := b.(UnitAttr)
		return ok
	case IntegerAttr:
		y, ok := b.(IntegerAttr)
		return ok && x.Value == y.Value && SameType(x.Type, y.Type)
	case DenseAttr:
		y, ok := b.(DenseAttr)
		return ok && SameType(x.Type, y.Type) && bytes.Equal(x.Data, y.Data)
	case ResourceAttr:
		y, ok := b.(ResourceAttr)
		return ok && x.Key == y.Key && SameType(x.Type, y.Type) && bytes.Equal(x.Data, y.Data)
	case ArrayAttr:
		y, ok := b.(ArrayAttr)
		return ok && slices.EqualFunc(x, y, SameAttr)
	case DictAttr:
		y, ok := b.(DictAttr)
		return ok && SameAttrs(Attrs(x), Attrs(y))
	}
	return b != nil && a.String() == b.String()
}

// SameAttrs reports whether two dictionaries hold the same, in any order.
func SameAttrs(a, b Attrs) bool {
	if len(a) != len(b) {
		return false
	}
	for i, n := range a {
		if i < len(b) && b[i].Name == n.Name {
			if !SameAttr(n.Value, b[i].Value) {
				return false
			}
			continue
		}
		if v := b.Get(n.Name); v == nil || !SameAttr(n.Value, v) {
			return false
		}
	}
	return true
}
