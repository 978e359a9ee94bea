package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// flip reverses dimensions.
func init() {
	register(&Op{
		Schema: "flip(Tensor self, int[] dims) -> Tensor",
		Infer: func(c *Call) error {
			if _, err := c.flipped(); err != nil {
				return err
			}
			return inferSame(c)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			dims, _ := c.flipped()
			self := l.In(c, 0)
			return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
				at = append([]Elem(nil), at...)
				for _, d := range dims {
					if d < len(at) {
						at[d] = s.Sub(s.ConstInt(dtype.I64, int64(self.Shape()[d]-1)), at[d])
					}
				}
				return s.At(self, at...)
			}))
		},
		Grad:    func(g *Gradient) { g.Set(0, g.Call("flip", g.Grad(0), g.Ints(1))) },
		Samples: samplesOf(Sample{S(2, 3, 4), []int{0, -1}}),
	})
	for name, d := range map[string]int{"flipud": 0, "fliplr": 1} {
		register(&Op{
			Schema: name + "(Tensor self) -> Tensor",
			Infer: func(c *Call) error {
				if len(c.Shape(0)) <= d {
					return c.ShapeErrorf("needs at least %d dimensions, got %s", d+1, shape.String(c.Shape(0)))
				}
				return inferSame(c)
			},
			Expand: func(e Emit, c *Call) []Value {
				return []Value{e.Call("flip", c.Tensor(0), []int{d})}
			},
			Samples: samplesOf(Sample{S(2, 3)}),
		})
	}
}

// rot90 turns a plane, roll shifts around.
func init() {
	register(&Op{
		Schema: "rot90(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor",
		Infer:  inferRot90,
		Expand: func(e Emit, c *Call) []Value {
			dims, _ := shape.Dims(c.Ints(2), len(c.Shape(0)))
			x := c.Tensor(0)
			switch (c.Int(1)%4 + 4) % 4 {
			case 1:
				x = e.Call("transpose.int", e.Call("flip", x, dims[1:]), dims[0], dims[1])
			case 2:
				x = e.Call("flip", x, dims)
			case 3:
				x = e.Call("transpose.int", e.Call("flip", x, dims[:1]), dims[0], dims[1])
			default:
				x = e.Call("clone", x)
			}
			return []Value{x}
		},
		Samples: samplesOf(Sample{S(2, 3)}, Sample{S(2, 3, 4), -1, []int{1, 2}}),
	})
	register(&Op{
		Schema: "roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor",
		Infer: func(c *Call) error {
			n := len(c.Ints(2))
			if len(c.Ints(1)) != max(n, 1) {
				return c.ArgErrorf("%d shifts for %d dimensions", len(c.Ints(1)), n)
			}
			for _, d := range c.Ints(2) {
				if _, err := shape.Dim(d, len(c.Shape(0))); err != nil {
					return err
				}
			}
			return inferSame(c)
		},
		Lower: lowerRoll,
		Grad: func(g *Gradient) {
			back := make([]int, len(g.Ints(1)))
			for i, n := range g.Ints(1) {
				back[i] = -n
			}
			g.Set(0, g.Call("roll", g.Grad(0), back, g.Ints(2)))
		},
		Samples: samplesOf(Sample{S(3, 4), []int{5}}, Sample{S(3, 4), []int{1, -1}, []int{0, 1}}),
	})
}

func (c *Call) flipped() ([]int, error) {
	if len(c.Ints(1)) == 0 {
		return nil, nil
	}
	return shape.Dims(c.Ints(1), len(c.Shape(0)))
}

func inferRot90(c *Call) error {
	dims := c.Shape(0)
	if len(c.Ints(2)) != 2 {
		return c.ArgErrorf("needs two dimensions to turn, got %s", shape.String(c.Ints(2)))
	}
	if len(dims) < 2 {
		return c.ShapeErrorf("needs at least 2 dimensions, got %s", shape.String(dims))
	}
	plane, err := shape.Dims(c.Ints(2), len(dims))
	if err != nil {
		return err
	}
	out := append([]int(nil), dims...)
	if c.Int(1)%2 != 0 {
		out[plane[0]], out[plane[1]] = out[plane[1]], out[plane[0]]
	}
	return c.Result(c.DTypeOf(0), out)
}

// lowerRoll swaps the two parts of every dimension that it shifts.
func lowerRoll(l *Lowering, c *Call) []*mlir.Value {
	t, dims, shifts := l.In(c, 0), c.Ints(2), c.Ints(1)
	if shape.Size(t.Shape()) == 0 {
		return one(t)
	}
	if len(dims) == 0 {
		flat := l.Reshape(t, []int{shape.Size(t.Shape())})
		return one(l.Reshape(l.roll(flat, 0, shifts[0]), t.Shape()))
	}
	for i, d := range dims {
		if len(t.Shape()) > 0 {
			d, _ = shape.Dim(d, len(t.Shape()))
			t = l.roll(t, d, shifts[i])
		}
	}
	return one(t)
}

func (l *Lowering) roll(t Lowered, d, shift int) Lowered {
	n := t.Shape()[d]
	shift = (shift%n + n) % n
	if shift == 0 {
		return t
	}
	head, tail := whole(t.Shape()), whole(t.Shape())
	head.sizes[d] = n - shift
	tail.offsets[d], tail.sizes[d] = n-shift, shift
	return l.Concat([]Lowered{
		l.Slice(t, tail.offsets, tail.sizes, tail.strides),
		l.Slice(t, head.offsets, head.sizes, head.strides),
	}, d, t.Type())
}
