package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// select.int takes one index of a dimension and drops the dimension;
// select_scatter replaces it.
func init() {
	register(&Op{
		Schema: "select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)",
		Infer: func(c *Call) error {
			r, d, err := c.selected(1)
			if err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), shape.Reduce(r.sizes, []int{d}, false))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			if c.anyOpen(2) {
				d, err := c.dim(1)
				if err != nil {
					panic(err)
				}
				n := c.Shape(0)[d]
				at := func(s *Scalars) Elem { return s.Position(&c.Args[2], n) }
				return one(l.Reshape(l.sliceAt(l.In(c, 0), c.openRegion(d, true), d, 1, at), c.Out[0].Shape))
			}
			r, _, _ := c.selected(1)
			return one(l.Reshape(l.Slice(l.In(c, 0), r.offsets, r.sizes, r.strides), c.Out[0].Shape))
		},
		Grad: gradOfView,
		View: func(e Emit, c *Call, base, view Value, _ int) Value {
			return e.Call("select_scatter", base, view, c.Args[1], c.Args[2])
		},
		Strides: func(c *Call, strides []int, _ int) []int {
			d, _ := c.dim(1)
			return shape.Reduce(strides, []int{d}, false)
		},
		Offset: func(c *Call, strides []int, _ int) int {
			r, _, _ := c.selected(1)
			return r.offset(strides)
		},
		Samples: samplesOf(Sample{S(3, 4), 1, -1}),
	})
	register(&Op{
		Schema: "select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
		Infer: func(c *Call) error {
			r, d, err := c.selected(2)
			if err != nil {
				return err
			}
			return c.inferScatter(shape.Reduce(r.sizes, []int{d}, false))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			if c.anyOpen(3) {
				d, err := c.dim(2)
				if err != nil {
					panic(err)
				}
				n, part := c.Shape(0)[d], append([]int(nil), c.Shape(0)...)
				part[d] = 1
				c.wantOpen(0, c.DTypeOf(0), c.Shape(0))
				at := func(s *Scalars) Elem { return s.Position(&c.Args[3], n) }
				return one(l.insertAt(l.Reshape(l.In(c, 1), part), l.In(c, 0), d, 1, at))
			}
			r, _, _ := c.selected(2)
			return one(l.insert(l.In(c, 1), l.In(c, 0), r))
		},
		Grad: func(g *Gradient) {
			dim, index := g.Args[2], g.Args[3]
			g.gradOfScatter(
				func(v Value) Value { return g.Call("select.int", v, dim, index) },
				func(v, src Value) Value { return g.Call("select_scatter", v, src, dim, index) })
		},
		Samples: samplesOf(Sample{S(3, 4), S(4), 0, 1}),
	})
}

// selected reads (dim, index) from argument first on.
func (c *Call) selected(first int) (region, int, error) {
	dims := c.Shape(0)
	if len(dims) == 0 {
		return region{}, 0, c.ShapeErrorf("cannot select from a tensor without dimensions")
	}
	d, err := c.dim(first)
	if err != nil {
		return region{}, 0, err
	}
	i, n := c.Int(first+1), dims[d]
	if i < -n || i >= n {
		return region{}, 0, c.ShapeErrorf("index %d is out of range for dimension %d of %s", i, d,
			shape.String(dims))
	}
	if i < 0 {
		i += n
	}
	r := whole(dims)
	r.offsets[d], r.sizes[d] = i, 1
	return r, d, nil
}
