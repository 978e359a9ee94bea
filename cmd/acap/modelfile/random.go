package modelfile

import (
	"math/rand/v2"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Random returns buffers of types whose elements are drawn at random, the same for the same types: floating point and
// complex numbers from -1 to 1, and whole numbers 0 or 1, which are indices of most tables.
func Random(types []ops.TensorType) ([]*buf.Buffer, error) {
	r := rand.New(rand.NewPCG(1, 1))
	var list []*buf.Buffer
	for _, t := range types {
		b, err := buf.NewChecked(t.DType, t.Shape)
		if err != nil {
			return nil, err
		}
		for i := range b.Len() {
			switch {
			case t.DType.IsComplex():
				b.SetComplex(i, complex(2*r.Float64()-1, 2*r.Float64()-1))
			case t.DType.IsFloat():
				b.SetFloat64(i, 2*r.Float64()-1)
			default:
				b.SetInt64(i, int64(r.IntN(2)))
			}
		}
		list = append(list, b)
	}
	return list, nil
}

// RandomFor is [Random] for the arguments of the function of a module that runs; a number is a tensor without
// dimensions. It returns nil where an argument has open extents or is no tensor: the run says what is wrong.
func RandomFor(module *mlir.Operation) []*buf.Buffer {
	f, err := compiler.EntryOf(module)
	if err != nil || f.Body() == nil {
		return nil
	}
	var types []ops.TensorType
	for _, arg := range f.Body().Args {
		t, ok := arg.Type.(mlir.TensorType)
		if !ok {
			t = mlir.TensorType{Shape: []int{}, Elem: arg.Type}
		}
		d := mlir.DTypeOf(t.Elem)
		if !d.Valid() {
			return nil
		}
		types = append(types, ops.TensorType{DType: d, Shape: t.Shape})
	}
	list, err := Random(types)
	if err != nil {
		return nil
	}
	return list
}
