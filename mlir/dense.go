package mlir

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// ElementSize returns the bytes that one element of type t takes in a
// [DenseAttr]: bool takes one byte, index eight, i4 one, a complex number two
// elements. Types that cannot be stored give 0.
func ElementSize(t Type) int {
	switch t := t.(type) {
	case IntegerType:
		return (t.Width + 7) / 8
	case IndexType:
		return 8
	case FloatType:
		f, ok := formatOf(t)
		if !ok {
			return 0
		}
		return (f.Bits + 7) / 8
	case ComplexType:
		return 2 * ElementSize(t.Elem)
	}
	return 0
}

// ShapeOf returns the extents and the element type of a ranked tensor, vector
// or memref type.
func ShapeOf(t Type) (shape []int, elem Type, ok bool) {
	switch t := t.(type) {
	case TensorType:
		return t.Shape, t.Elem, true
	case VectorType:
		return t.Shape, t.Elem, true
	case MemRefType:
		return t.Shape, t.Elem, true
	}
	return nil, nil, false
}

// ElementOf returns the element type of a tensor, vector or memref, ranked or not. Other types are
// elements themselves.
func ElementOf(t Type) Type {
	switch u := t.(type) {
	case UnrankedTensorType:
		return u.Elem
	case UnrankedMemRefType:
		return u.Elem
	}
	if _, elem, ok := ShapeOf(t); ok {
		return elem
	}
	return t
}

// WithElement returns the type t with another element type. A scalar becomes the element type.
func WithElement(t, elem Type) Type {
	switch t := t.(type) {
	case TensorType:
		t.Elem = elem
		return t
	case VectorType:
		t.Elem = elem
		return t
	case UnrankedTensorType:
		return UnrankedTensorType{Elem: elem}
	case MemRefType:
		t.Elem = elem
		return t
	case UnrankedMemRefType:
		t.Elem = elem
		return t
	}
	return elem
}

// SpaceOf returns the memory space of a memref, or nil.
func SpaceOf(t Type) Attribute {
	switch t := t.(type) {
	case MemRefType:
		return t.Space
	case UnrankedMemRefType:
		return t.Space
	}
	return nil
}

// IsStaticTensor reports whether t is a tensor type whose extents are all known.
func IsStaticTensor(t Type) bool {
	tensor, ok := t.(TensorType)
	if !ok {
		return false
	}
	_, static := NumElements(tensor.Shape)
	return static
}

// NumElements returns the product of static extents. It reports false if one is
// dynamic or the product does not fit.
func NumElements(shape []int) (int, bool) {
	n, empty := 1, false
	for _, d := range shape {
		switch {
		case d < 0:
			return 0, false
		case d == 0:
			empty = true
		case n > math.MaxInt/d:
			return 0, false
		default:
			n *= d
		}
	}
	if empty {
		return 0, true
	}
	return n, true
}

// NewDense returns the elements of a static tensor or vector type, which take
// the given bytes; one element alone is a splat. Equal elements become a splat. Another type or another number of bytes
// is an error.
func NewDense(t Type, data []byte) (DenseAttr, error) {
	shape, elem, ok := ShapeOf(t)
	if !ok {
		return DenseAttr{}, fmt.Errorf("%s is not a tensor or vector type", t)
	}
	size := ElementSize(elem)
	n, static := NumElements(shape)
	switch {
	case size == 0:
		return DenseAttr{}, fmt.Errorf("elements of type %s cannot be stored", elem)
	case !static:
		return DenseAttr{}, fmt.Errorf("dense elements need a static shape, not %s", t)
	case len(data) != size && (n > math.MaxInt/size || len(data) != n*size):
		return DenseAttr{}, fmt.Errorf("%d bytes do not make the elements of %s", len(data), t)
	}
	if len(data) > size && bytes.Equal(data[size:], data[:len(data)-size]) {
		data = data[:size]
	}
	return DenseAttr{t, data}, nil
}

// DenseInts returns the elements of an integer type from their values; a single
// value is a splat. The number of values must fit the type.
func DenseInts(t Type, values []int64) DenseAttr {
	_, elem, _ := ShapeOf(t)
	data := make([]byte, 0, len(values)*ElementSize(elem))
	for _, v := range values {
		data = appendIntElement(data, v, elem)
	}
	return mustDense(t, data)
}

// DenseFloats returns the elements of a floating type from their values, rounded
// to the type; a single value is a splat. The number of values must fit the type.
func DenseFloats(t Type, values []float64) DenseAttr {
	_, elem, _ := ShapeOf(t)
	data := make([]byte, 0, len(values)*ElementSize(elem))
	for _, v := range values {
		data = appendFloatElement(data, v, elem)
	}
	return mustDense(t, data)
}

func mustDense(t Type, data []byte) DenseAttr {
	a, err := NewDense(t, data)
	if err != nil {
		panic("BUG: mlir: " + err.Error())
	}
	return a
}

func appendIntElement(dst []byte, v int64, t Type) []byte {
	size := ElementSize(t)
	if SameType(t, I1) {
		v &= 1
	}
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], uint64(v))
	dst = append(dst, word[:min(size, 8)]...)
	for range size - 8 { // sign extension of wide integers
		dst = append(dst, byte(v>>63))
	}
	return dst
}

func appendFloatElement(dst []byte, v float64, t Type) []byte {
	f, ok := formatOf(t)
	if !ok {
		panic(fmt.Sprintf("BUG: mlir: no format for %s", t))
	}
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], f.Encode(v))
	return append(dst, word[:(f.Bits+7)/8]...)
}

// Elem returns the element type.
func (a DenseAttr) Elem() Type {
	_, elem, _ := ShapeOf(a.Type)
	return elem
}

// Len returns the number of elements of the type, not of those stored.
func (a DenseAttr) Len() int {
	shape, _, _ := ShapeOf(a.Type)
	n, _ := NumElements(shape)
	return n
}

// IsSplat reports whether one stored element stands for all.
func (a DenseAttr) IsSplat() bool {
	size := ElementSize(a.Elem())
	return size > 0 && len(a.Data) == size
}

// Stored returns the number of elements in Data: 1 for a splat.
func (a DenseAttr) Stored() int {
	size := ElementSize(a.Elem())
	if size == 0 {
		return 0
	}
	return len(a.Data) / size
}

// Int returns the elements, a splat repeated, of an integer or index type.
func (a DenseAttr) Int() ([]int, bool) {
	elem := a.Elem()
	switch elem.(type) {
	case IntegerType, IndexType:
	default:
		return nil, false
	}
	out := make([]int, a.Len())
	splat := a.IsSplat()
	for i := range out {
		if splat && i > 0 {
			out[i] = out[0]
			continue
		}
		out[i] = int(a.intAt(i))
	}
	return out, true
}

// Float returns the elements, a splat repeated, of a floating or integer type.
func (a DenseAttr) Float() ([]float64, bool) {
	if ints, ok := a.Int(); ok {
		out := make([]float64, len(ints))
		for i, v := range ints {
			out[i] = float64(v)
		}
		return out, true
	}
	if _, ok := formatOf(a.Elem()); !ok {
		return nil, false
	}
	out := make([]float64, a.Len())
	splat := a.IsSplat()
	for i := range out {
		if splat && i > 0 {
			out[i] = out[0]
			continue
		}
		out[i] = a.floatAt(i)
	}
	return out, true
}

// IntAt returns the i-th element of an integer type, sign-extended unless the type
// is unsigned or i1.
func (a DenseAttr) IntAt(i int) int64 {
	if a.IsSplat() {
		i = 0
	}
	return a.intAt(i)
}

// FloatAt returns the i-th element of a floating type.
func (a DenseAttr) FloatAt(i int) float64 {
	if a.IsSplat() {
		i = 0
	}
	return a.floatAt(i)
}

// word reads the i-th stored scalar of the given size in bytes.
func (a DenseAttr) word(i, size int) uint64 {
	var word [8]byte
	copy(word[:], a.Data[i*size:i*size+min(size, 8)])
	return binary.LittleEndian.Uint64(word[:])
}

// intAt returns the i-th stored element, sign- or zero-extended by its type.
func (a DenseAttr) intAt(i int) int64 {
	elem := a.Elem()
	size := ElementSize(elem)
	bits := a.word(i, size)
	t, ok := elem.(IntegerType)
	if !ok || t.Width >= 64 {
		return int64(bits)
	}
	shift := 64 - t.Width
	if t.Signedness == Unsigned || t.Width == 1 {
		return int64(bits << shift >> shift)
	}
	return int64(bits<<shift) >> shift
}

// floatAt returns the i-th stored scalar; a complex element has two of them.
func (a DenseAttr) floatAt(i int) float64 {
	elem := a.Elem()
	if c, ok := elem.(ComplexType); ok {
		elem = c.Elem
	}
	f, _ := formatOf(elem)
	return f.Decode(a.word(i, (f.Bits+7)/8))
}

// OfType returns elements, a [DenseAttr] or a [ResourceAttr], with another type of the same layout, or nil for other
// attributes.
func OfType(elements Attribute, t Type) Attribute {
	switch a := elements.(type) {
	case DenseAttr:
		a.Type = t
		return a
	case ResourceAttr:
		a.Type = t
		return a
	}
	return nil
}
