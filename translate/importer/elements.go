package importer

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// Elements returns the elements of an attribute, dense ones or a resource, as a tensor. Another attribute is an error,
// and so is a resource whose bytes are not in the file.
func Elements(a mlir.Attribute) (*buf.Buffer, error) {
	var data []byte
	dims, elem, ok := mlir.ShapeOf(mlir.TypeOf(a))
	if !ok {
		return nil, fmt.Errorf("%v are no elements of a tensor", a)
	}
	d := mlir.DTypeOf(elem)
	if err := shape.Check(dims); err != nil || !d.Valid() {
		return nil, fmt.Errorf("elements of type %s of shape %s", elem, shape.String(dims))
	}
	switch a := a.(type) {
	case mlir.DenseAttr:
		data = a.Data
		if a.IsSplat() && shape.Size(dims) != 1 {
			b, err := buf.NewChecked(d, dims)
			if err != nil {
				return nil, err
			}
			for to := b.Bytes(); len(to) > 0; {
				to = to[copy(to, data):]
			}
			return b, nil
		}
	case mlir.ResourceAttr:
		if data = a.Data; data == nil {
			return nil, fmt.Errorf("the resource %s has no bytes in this file", a.Key)
		}
	default:
		return nil, fmt.Errorf("%v are no elements of a tensor", a)
	}
	if want := shape.Size(dims) * d.Size(); len(data) != want {
		return nil, fmt.Errorf("%d bytes for %d", len(data), want)
	}
	return buf.Wrap(d, dims, buf.Realigned(data))
}
