package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// narrow takes length indices of a dimension from start on.
func init() {
	for _, schema := range []string{
		"narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)",
		"narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor",
	} {
		view := func(e Emit, c *Call, base, view Value, _ int) Value {
			r, d, _ := c.narrowed()
			start := r.offsets[d]
			return e.Call("slice_scatter", base, view, d, start, start+r.sizes[d])
		}
		op := &Op{
			Schema: schema,
			Infer: func(c *Call) error {
				r, _, err := c.narrowed()
				if err != nil {
					return err
				}
				return c.Result(c.DTypeOf(0), r.sizes)
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				if c.anyOpen(2, 3) {
					d, err := c.dim(1)
					if err != nil {
						panic(err)
					}
					at := func(s *Scalars) Elem { return s.Position(&c.Args[2], c.Shape(0)[d]) }
					return one(l.sliceAt(l.In(c, 0), c.openRegion(d, false), d, 1, at))
				}
				r, _, _ := c.narrowed()
				return one(l.Slice(l.In(c, 0), r.offsets, r.sizes, r.strides))
			},
			Grad: func(g *Gradient) {
				g.Set(0, view(g.Emit, g.call, g.Zeros(g.Type(0)), g.Grad(0), 0))
			},
			Samples: samplesOf(Sample{S(3, 5), 1, -4, 2}),
		}
		if schema[6] == '(' {
			op.View, op.Strides = view, sameStrides
			op.Offset = func(c *Call, strides []int, _ int) int {
				r, _, _ := c.narrowed()
				return r.offset(strides)
			}
		}
		register(op)
	}
}

func (c *Call) narrowed() (region, int, error) {
	dims := c.Shape(0)
	if len(dims) == 0 {
		return region{}, 0, c.ShapeErrorf("cannot narrow a tensor without dimensions")
	}
	d, err := c.dim(1)
	if err != nil {
		return region{}, 0, err
	}
	start, length, n := c.Int(2), c.Int(3), dims[d]
	if start < 0 {
		start += n
	}
	if length < 0 || start < 0 || length > n || start > n-length {
		return region{}, 0, c.ShapeErrorf("start %d and length %d exceed dimension %d of %s",
			c.Int(2), length, d, shape.String(dims))
	}
	r := whole(dims)
	r.offsets[d], r.sizes[d] = start, length
	return r, d, nil
}
