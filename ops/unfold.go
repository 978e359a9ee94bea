package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// unfold slides a window along a dimension: the windows take the dimension's
// place, their elements become a new last dimension.
func init() {
	register(&Op{
		Schema: "unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)",
		Infer: func(c *Call) error {
			d, err := c.dim(1)
			if err != nil {
				return err
			}
			n, size, step := 1, c.Int(2), c.Int(3)
			if len(c.Shape(0)) > 0 {
				n = c.Shape(0)[d]
			}
			if step <= 0 || size < 0 || size > n {
				return c.ShapeErrorf("window of %d in steps of %d does not fit dimension %d of %s",
					size, step, d, shape.String(c.Shape(0)))
			}
			return c.Result(c.DTypeOf(0), append(withDim(c.Shape(0), d, (n-size)/step+1), size))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			d, _ := c.dim(1)
			self := l.In(c, 0)
			return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
				last := len(at) - 1
				place := append([]Elem(nil), at[:last]...)
				if len(place) > 0 {
					step := s.ConstInt(dtype.I64, int64(c.Int(3)))
					place[d] = s.Add(s.Mul(place[d], step), at[last])
				}
				return s.At(self, place...)
			}))
		},
		Grad: gradOfGather,
		View: viewOfGather,
		Strides: func(c *Call, strides []int, _ int) []int {
			if len(strides) == 0 {
				return []int{1}
			}
			d, _ := c.dim(1)
			return append(withDim(strides, d, strides[d]*c.Int(3)), strides[d])
		},
		Repeats: true,
		Samples: samplesOf(Sample{S(2, 7), 1, 3, 2}),
	})
}
