package ops

import (
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/shape"
)

// put writes, or adds, source to the elements of the flattened self at index.
func init() {
	register(&Op{
		Schema:  "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
		Inplace: true,
		Infer: func(c *Call) error {
			if err := c.wantIndex(1); err != nil {
				return err
			}
			if c.DTypeOf(2) != c.DTypeOf(0) {
				return c.DTypeErrorf("source %v must have the type %v of self", c.DTypeOf(2), c.DTypeOf(0))
			}
			if shape.Size(c.Shape(1)) != shape.Size(c.Shape(2)) {
				return c.ShapeErrorf("index %s and source %s must have the same number of elements",
					shape.String(c.Shape(1)), shape.String(c.Shape(2)))
			}
			return inferSame(c)
		},
		Host: onNumbers(putHost[int64], putHost[float64]),
		Grad: func(g *Gradient) {
			if g.Needs(0) {
				self := g.Grad(0)
				if !g.Bool(3) {
					self = g.Call("put", self, g.Tensor(1), g.Zeros(g.Type(2)))
				}
				g.Set(0, self)
			}
			if g.Needs(2) {
				g.Set(2, g.Reshape(g.Call("take", g.Grad(0), g.Tensor(1)), g.Shape(2)))
			}
		},
		Samples: samplesOf(Sample{S(3, 4), indices(12, 5), S(5), true}),
	})
}

func putHost[E number](h *HostCall) ([]*buf.Buffer, error) {
	self := h.Buffer(0)
	out, source := numbers[E](self), numbers[E](h.Buffer(2))
	n := len(out)
	for i, at := range numbers[int64](h.Buffer(1)) {
		p := int(at)
		if p < 0 {
			p += n
		}
		if p < 0 || p >= n {
			return nil, outOfRange(int(at), 0, []int{n})
		}
		if h.Bool(3) {
			out[p] += source[i]
		} else {
			out[p] = source[i]
		}
	}
	return []*buf.Buffer{fromNumbers(self.DType, self.Shape, out)}, nil
}
