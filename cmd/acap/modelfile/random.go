package modelfile

import (
	"math/rand/v2"

	"github.com/go-acap/acap/base/buf"
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
