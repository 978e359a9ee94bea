package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// slice.Tensor takes every step-th index of a dimension from start up to end.
func init() {
	register(&Op{
		Schema: "slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, " +
			"SymInt step=1) -> Tensor(a)",
		Infer: func(c *Call) error {
			s, err := c.slice(1)
			if err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), s.sizes)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			if c.anyOpen(2, 3) {
				d, err := c.dim(1)
				if err != nil {
					panic(err)
				}
				at := func(s *Scalars) Elem { return c.start(s, 2, c.Shape(0)[d]) }
				return one(l.sliceAt(l.In(c, 0), c.openRegion(d, false), d, c.Int(4), at))
			}
			s, _ := c.slice(1)
			return one(l.Slice(l.In(c, 0), s.offsets, s.sizes, s.strides))
		},
		Grad: gradOfView,
		View: func(e Emit, c *Call, base, view Value, _ int) Value {
			return e.Call("slice_scatter", base, view, c.Args[1], c.Args[2], c.Args[3], c.Args[4])
		},
		Strides: func(c *Call, strides []int, _ int) []int {
			d, _ := c.dim(1)
			return withDim(strides, d, strides[d]*c.Int(4))
		},
		Offset: func(c *Call, strides []int, _ int) int {
			d, _ := c.dim(1)
			return c.sliceStart(2, c.Shape(0)[d]) * strides[d] // of an empty slice as well
		},
		Samples: samplesOf(Sample{S(5, 4), 0, 1, 5, 2}, Sample{S(3, 4), -1, -3}, Sample{S(3), 0, 2, 1}),
	})
}

// slice_scatter replaces what slice.Tensor takes.
func init() {
	register(&Op{
		Schema: "slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, " +
			"SymInt? end=None, SymInt step=1) -> Tensor",
		Infer: func(c *Call) error {
			s, err := c.slice(2)
			if err != nil {
				return err
			}
			return c.inferScatter(s.sizes)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			if c.anyOpen(3, 4) {
				d, err := c.dim(2)
				if err != nil {
					panic(err)
				}
				c.wantOpen(0, c.DTypeOf(0), c.Shape(0))
				at := func(s *Scalars) Elem { return c.start(s, 3, c.Shape(0)[d]) }
				return one(l.insertAt(l.In(c, 1), l.In(c, 0), d, c.Int(5), at))
			}
			s, _ := c.slice(2)
			return one(l.insert(l.In(c, 1), l.In(c, 0), s))
		},
		Grad: func(g *Gradient) {
			at := g.Args[2:6]
			g.gradOfScatter(func(v Value) Value {
				return g.Call("slice.Tensor", v, at[0], at[1], at[2], at[3])
			}, func(v, src Value) Value {
				return g.Call("slice_scatter", v, src, at[0], at[1], at[2], at[3])
			})
		},
		Samples: samplesOf(Sample{S(5, 4), S(2, 4), 0, 1, 5, 2}),
	})
}

// region is a strided box inside a tensor.
type region struct{ offsets, sizes, strides []int }

// offset returns the distance, in elements, from the first element of the tensor to the first element of the region.
func (r region) offset(strides []int) int {
	sum := 0
	for d, n := range r.offsets {
		sum += n * strides[d]
	}
	return sum
}

func whole(dims []int) region {
	return region{make([]int, len(dims)), append([]int(nil), dims...), ones(len(dims))}
}

// slice reads (dim, start, end, step) from argument first on, for the shape of
// argument 0: negative positions count from the end, and all are clamped.
func (c *Call) slice(first int) (region, error) {
	dims := c.Shape(0)
	if len(dims) == 0 {
		return region{}, c.ShapeErrorf("cannot slice a tensor without dimensions")
	}
	d, err := c.dim(first)
	if err != nil {
		return region{}, err
	}
	step := c.Int(first + 3)
	if step <= 0 {
		return region{}, c.ArgErrorf("step must be positive, got %d", step)
	}
	n := dims[d]
	start, end := c.sliceStart(first+1, n), n
	if c.Has(first + 2) {
		end = clampPosition(c.Int(first+2), n)
	}
	r := whole(dims)
	r.offsets[d], r.sizes[d], r.strides[d] = start, max(0, (end-start+step-1)/step), step
	if r.sizes[d] == 0 {
		r.offsets[d], r.strides[d] = 0, 1
	}
	return r, nil
}

// sliceStart is where a slice of n positions starts, as argument i says.
func (c *Call) sliceStart(i, n int) int {
	if !c.Has(i) {
		return 0
	}
	return clampPosition(c.Int(i), n)
}

func clampPosition(i, n int) int {
	if i < 0 {
		i += n
	}
	return min(max(i, 0), n)
}

// inferScatter is for operators (self, src, …) that replace a part of self, of
// the given shape, by src.
func (c *Call) inferScatter(part []int) error {
	if !shape.Equal(c.Shape(1), part) {
		return c.ShapeErrorf("src %s does not have the shape %s of the part of self %s that it replaces",
			shape.String(c.Shape(1)), shape.String(part), shape.String(c.Shape(0)))
	}
	return c.Result(c.DTypeOf(0), c.Shape(0))
}

// insert replaces a region of into by t, whose shape may lack extents of 1.
func (l *Lowering) insert(t, into Lowered, r region) Lowered {
	if shape.Size(r.sizes) == 0 {
		return into
	}
	t = l.Reshape(l.Cast(t, into.D), r.sizes)
	return l.InsertSlice(t, into, r.offsets, r.strides)
}

// gradOfView scatters the gradients of the parts that a view operator takes into
// zeros. It is right where no element is taken twice.
func gradOfView(g *Gradient) {
	base := g.Zeros(g.Type(0))
	for i := range g.Out {
		if g.HasGrad(i) {
			base = g.Op.View(g.Emit, g.call, base, g.Grad(i), i)
		}
	}
	g.Set(0, base)
}

// gradOfScatter is the gradient of (self, src, …) operators: src gets the part
// that it replaced, self the rest.
func (g *Gradient) gradOfScatter(take func(v Value) Value, put func(v, src Value) Value) {
	if g.Needs(0) {
		g.Set(0, put(g.Grad(0), g.Zeros(g.Type(1))))
	}
	if g.Needs(1) {
		g.Set(1, take(g.Grad(0)))
	}
}
