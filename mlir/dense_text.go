package mlir

import (
	"strconv"
)

// hexElements is the number of elements above which dense constants print as
// their bytes in hex, as mlir-opt does.
const hexElements = 100

// String returns dense<…> : type: the value of a splat, a nested list, or for
// many elements the bytes in hex.
func (a DenseAttr) String() string { return string(a.append(nil)) }

func (a DenseAttr) append(dst []byte) []byte {
	dst = append(dst, "dense<"...)
	shape, _, _ := ShapeOf(a.Type)
	switch {
	case a.Len() == 0:
	case a.IsSplat():
		dst = a.appendElement(dst, 0)
	case a.Len() > hexElements:
		dst = append(dst, `"0x`...)
		dst = appendHex(dst, a.packed())
		dst = append(dst, '"')
	default:
		dst = a.appendList(dst, shape)
	}
	dst = append(dst, "> : "...)
	return append(dst, a.Type.String()...)
}

// appendList prints all elements row-major; brackets open and close where an
// index of an outer dimension turns over.
func (a DenseAttr) appendList(dst []byte, shape []int) []byte {
	n := a.Len()
	for i := range n {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		for span, d := 1, len(shape)-1; d >= 0; d-- {
			if span *= shape[d]; i%span == 0 {
				dst = append(dst, '[')
			}
		}
		dst = a.appendElement(dst, i)
		for span, d := 1, len(shape)-1; d >= 0; d-- {
			if span *= shape[d]; (i+1)%span == 0 {
				dst = append(dst, ']')
			}
		}
	}
	return dst
}

func (a DenseAttr) appendElement(dst []byte, i int) []byte {
	switch t := a.Elem().(type) {
	case ComplexType:
		dst = append(dst, '(')
		dst = a.appendScalar(dst, t.Elem, 2*i)
		dst = append(dst, ',')
		dst = a.appendScalar(dst, t.Elem, 2*i+1)
		return append(dst, ')')
	default:
		return a.appendScalar(dst, t, i)
	}
}

func (a DenseAttr) appendScalar(dst []byte, t Type, i int) []byte {
	switch t := t.(type) {
	case FloatType:
		return append(dst, formatFloat(a.floatAt(i), t)...)
	case IntegerType:
		part := DenseAttr{Type: TensorType{Elem: t}, Data: a.Data}
		v := part.intAt(i)
		switch {
		case t.Width == 1:
			return strconv.AppendBool(dst, v != 0)
		case t.Signedness == Unsigned:
			return strconv.AppendUint(dst, uint64(v), 10)
		}
		return strconv.AppendInt(dst, v, 10)
	default:
		return strconv.AppendInt(dst, a.intAt(i), 10)
	}
}

// packed returns the bytes as hex literals hold them: bools are bits, the first
// in the lowest place.
func (a DenseAttr) packed() []byte {
	if !SameType(a.Elem(), I1) {
		return a.Data
	}
	out := make([]byte, (len(a.Data)+7)/8)
	for i, b := range a.Data {
		out[i/8] |= b & 1 << (i % 8)
	}
	return out
}
