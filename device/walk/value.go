package walk

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
)

// value is the content of an SSA value: a number, an *array, or a *mlir.Operation, which is a function.
type value any

// number is an element; of a complex type if real and imaginary are used.
type number struct {
	reference.Element
	complex complex128
}

func index(n int) number {
	return number{Element: reference.Element{DType: dtype.I64, Int: int64(n)}}
}

// array is a tensor, a vector or memory: elements of a buffer at an offset and strides.
// Tensors and vectors are not modified once they are made.
type array struct {
	data           *buf.Buffer
	offset         int
	shape, strides []int
}

// maxElements bounds an allocation.
const maxElements = 1 << 31

func dtypeOf(t mlir.Type) dtype.DType {
	for {
		_, e, shaped := mlir.ShapeOf(t)
		if !shaped {
			break
		}
		t = e // twice for memory of vectors
	}
	switch u := t.(type) {
	case mlir.UnrankedMemRefType:
		t = u.Elem
	case mlir.UnrankedTensorType:
		t = u.Elem
	}
	return mlir.DTypeOf(t)
}

func newArray(d dtype.DType, dims []int) (*array, error) {
	n := 1
	for _, extent := range dims {
		if extent < 0 {
			return nil, fmt.Errorf("a negative extent %d", extent)
		}
		if extent > 0 && n > maxElements/extent {
			return nil, fmt.Errorf("more than %d elements", maxElements)
		}
		n *= extent
	}
	if !d.Valid() {
		return nil, fmt.Errorf("elements that cannot be stored")
	}
	b, err := buf.NewChecked(d, slices.Clone(dims))
	if err != nil {
		return nil, err
	}
	return wrap(b), nil
}

// wrap makes an array of a buffer, whose memory it shares.
func wrap(b *buf.Buffer) *array {
	return &array{data: b, shape: b.Shape, strides: shape.Strides(b.Shape)}
}

func (a *array) len() int { return shape.Size(a.shape) }

// at returns the place of an element, or an error if an index is out of range.
func (a *array) at(index []int) (int, error) {
	if len(index) != len(a.shape) {
		return 0, fmt.Errorf("%d indices for %d dimensions", len(index), len(a.shape))
	}
	place := a.offset
	for k, i := range index {
		if i < 0 || i >= a.shape[k] {
			return 0, fmt.Errorf("index %d is out of range for an extent of %d", i, a.shape[k])
		}
		place += i * a.strides[k]
	}
	if place < 0 || place >= a.data.Len() {
		return 0, fmt.Errorf("an element outside of the memory")
	}
	return place, nil
}

func (a *array) load(place int) number {
	d := a.data.DType
	switch {
	case d.IsComplex():
		return number{Element: reference.Element{DType: d}, complex: a.data.Complex(place)}
	case d.IsFloat():
		return number{Element: reference.Element{DType: d, Float: a.data.Float64(place)}}
	}
	return number{Element: reference.IntElement(d, a.data.Int64(place))}
}

func (a *array) store(place int, x number) {
	switch d := a.data.DType; {
	case d.IsComplex():
		a.data.SetComplex(place, x.complex)
	case d.IsFloat():
		a.data.SetFloat64(place, x.Float)
	default:
		a.data.SetInt64(place, x.Int)
	}
}

// each calls f with every index, the last fastest, and its place.
func (a *array) each(f func(index []int, place int) error) error {
	return shape.Points(a.shape, func(index []int) error {
		place, err := a.at(index)
		if err != nil {
			return err
		}
		return f(index, place)
	})
}

// copy returns the elements in memory of their own.
func (a *array) copy() (*array, error) {
	out, err := newArray(a.data.DType, a.shape)
	if err != nil {
		return nil, err
	}
	return out, out.fill(a)
}

// fill copies all elements of an array of the same shape.
func (a *array) fill(from *array) error {
	if !slices.Equal(a.shape, from.shape) {
		return fmt.Errorf("elements of shape %v where %v belong", from.shape, a.shape)
	}
	return a.each(func(index []int, place int) error {
		p, err := from.at(index)
		if err != nil {
			return err
		}
		a.store(place, from.load(p))
		return nil
	})
}

// row returns the elements in row-major order, for a result.
func (a *array) row() (*buf.Buffer, error) {
	c, err := a.copy()
	if err != nil {
		return nil, err
	}
	return c.data, nil
}
