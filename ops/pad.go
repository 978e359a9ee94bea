package ops

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// The pads: with a number, by reflection, by repeating the border, around.
// Amounts come in pairs (before, after) from the last dimension on; negative ones
// crop.
func init() {
	register(&Op{
		Schema: "constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor",
		Infer: func(c *Call) error {
			_, out, err := c.padding("")
			if err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), out)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			low, out, _ := c.padding("")
			high := make([]int, len(low))
			for i, n := range c.Shape(0) {
				high[i] = out[i] - n - low[i]
			}
			v := c.Scalar(2).Float()
			return one(l.Pad(l.In(c, 0), low, high, v))
		},
		Grad: func(g *Gradient) {
			back := make([]int, len(g.Ints(1)))
			for i, n := range g.Ints(1) {
				back[i] = -n
			}
			g.Set(0, g.Call("constant_pad_nd", g.Grad(0), back, 0))
		},
		Samples: samplesOf(Sample{S(2, 3), []int{1, 2}}, Sample{S(2, 3), []int{-1, 0, 0, 2}, 1.5}),
	})
	for rank := 1; rank <= 3; rank++ {
		for _, mode := range []string{"reflection", "replication"} {
			register(&Op{
				Schema: fmt.Sprintf("%s_pad%dd(Tensor self, SymInt[%d] padding) -> Tensor", mode, rank, 2*rank),
				Infer: func(c *Call) error {
					if len(c.Ints(1)) != 2*rank {
						return c.ArgErrorf("padding must have %d entries, got %d", 2*rank, len(c.Ints(1)))
					}
					if n := len(c.Shape(0)); n != rank+1 && n != rank+2 {
						return c.ShapeErrorf("needs %d or %d dimensions, got %s", rank+1, rank+2,
							shape.String(c.Shape(0)))
					}
					_, out, err := c.padding(mode)
					if err != nil {
						return err
					}
					return c.Result(c.DTypeOf(0), out)
				},
				Lower: lowerMirror(mode),
				Grad: func(g *Gradient) { // its derivative is 0, and not none, as in PyTorch
					gradOfGatherInto(g, g.Call("fill.Scalar", g.Tensor(0), 0))
				},
				Samples: samplesOf(padSample(rank)),
			})
		}
	}
}

// Pads around, and the pad of any mode.
func init() {
	register(&Op{
		Schema: "_pad_circular(Tensor self, SymInt[] pad) -> Tensor",
		Infer: func(c *Call) error {
			_, out, err := c.padding("circular")
			if err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), out)
		},
		Lower:   lowerMirror("circular"),
		Grad:    gradOfGather,
		Samples: samplesOf(Sample{S(1, 2, 4), []int{3, 1}}),
	})
	register(&Op{
		Schema: "pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor",
		Infer: func(c *Call) error {
			mode := padModes[c.Args[2].Text()]
			if mode == "" {
				return c.ArgErrorf("unknown mode %q", c.Args[2].Text())
			}
			if mode != "constant" && c.Has(3) && c.Float(3) != 0 {
				return c.ArgErrorf("mode %q has no value", c.Args[2].Text())
			}
			if n := len(c.Ints(1)) / 2; mode[0] == 'r' && (n < 1 || n > 3) {
				return c.ArgErrorf("mode %q pads 1 to 3 dimensions, got %d amounts", c.Args[2].Text(),
					len(c.Ints(1)))
			}
			return inferExpansion(nil)(c)
		},
		Expand: func(e Emit, c *Call) []Value {
			mode := padModes[c.Args[2].Text()]
			switch mode {
			case "constant":
				return []Value{e.Call("constant_pad_nd", c.Tensor(0), c.Ints(1), c.Float(3))}
			case "circular":
				return []Value{e.Call("_pad_circular", c.Tensor(0), c.Ints(1))}
			}
			return []Value{e.Call(fmt.Sprintf("%s_pad%dd", mode, len(c.Ints(1))/2), c.Tensor(0), c.Ints(1))}
		},
		Samples: samplesOf(Sample{S(1, 2, 4), []int{1, 2}, "replicate"}),
	})
}

var padModes = map[string]string{"constant": "constant", "reflect": "reflection",
	"replicate": "replication", "circular": "circular"}

func padSample(rank int) Sample {
	dims, pad := []int{2}, []int(nil)
	for i := range rank {
		dims = append(dims, 3+i)
		pad = append(pad, 2, 1)
	}
	return Sample{T{DType: dtype.F32, Shape: dims}, pad}
}

// padding returns the elements that argument 1 puts before every dimension of
// argument 0, and the padded shape.
func (c *Call) padding(mode string) (low, out []int, err error) {
	dims, pad := c.Shape(0), c.Ints(1)
	if len(pad)%2 != 0 || len(pad) > 2*len(dims) {
		return nil, nil, c.ArgErrorf("%d amounts of padding for %s", len(pad), shape.String(dims))
	}
	low, out = make([]int, len(dims)), append([]int(nil), dims...)
	for i := 0; i < len(pad); i += 2 {
		d := len(dims) - 1 - i/2
		low[d] = pad[i]
		most := max(pad[i], pad[i+1])
		if min(pad[i], pad[i+1]) >= -shape.MaxElements && most <= shape.MaxElements {
			out[d] += pad[i] + pad[i+1]
		} else {
			out[d] = -1
		}
		switch {
		case out[d] < 0:
			return nil, nil, c.ShapeErrorf("padding %s of %s leaves no valid extent of dimension %d",
				shape.String(pad), shape.String(dims), d)
		case mode == "" && dims[d]+min(pad[i], 0)+min(pad[i+1], 0) < 0:
			return nil, nil, c.ShapeErrorf("padding %s crops more of dimension %d than %s has",
				shape.String(pad), d, shape.String(dims))
		case mode == "reflection" && most >= dims[d], mode == "circular" && most > dims[d]:
			return nil, nil, c.ShapeErrorf("padding %s is too large for dimension %d of %s",
				shape.String(pad), d, shape.String(dims))
		case mode == "replication" && dims[d] == 0:
			return nil, nil, c.ShapeErrorf("dimension %d of %s has no border to repeat", d,
				shape.String(dims))
		}
	}
	return low, out, shape.Check(out)
}

// lowerMirror reads every element of the result from the place that mode says.
func lowerMirror(mode string) func(l *Lowering, c *Call) []*mlir.Value {
	return func(l *Lowering, c *Call) []*mlir.Value {
		low, out, _ := c.padding(mode)
		self, dims := l.In(c, 0), c.Shape(0)
		return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
			at = append([]Elem(nil), at...)
			for d, n := range dims {
				if low[d] == 0 && out[d] <= n {
					continue
				}
				if mode == "circular" {
					at[d] = s.circular(at[d], n, low[d], out[d]-n-low[d])
					continue
				}
				i := s.Sub(at[d], s.ConstInt(dtype.I64, int64(low[d])))
				if low[d] > 0 || out[d]-low[d] > n {
					i = s.mirror(mode, i, int64(n))
				}
				at[d] = i
			}
			return s.At(self, at...)
		}))
	}
}

func (s *Scalars) mirror(mode string, i Elem, n int64) Elem {
	last := s.ConstInt(dtype.I64, n-1)
	switch mode {
	case "reflection":
		return s.Sub(last, s.Abs(s.Sub(last, s.Abs(i))))
	case "replication":
		return s.Min(s.Max(i, s.ConstInt(dtype.I64, 0)), last)
	}
	panic("BUG: pad: unknown mode " + mode)
}

// circular is the place of n from which element i of the result comes. Elements that negative padding cuts off are no
// part of the circle.
func (s *Scalars) circular(i Elem, n, low, high int) Elem {
	left := max(n+min(low, 0)+min(high, 0), 1)
	turns := (max(low, 0) + left - 1) / left * left // no remainder of a negative number
	extent := s.ConstInt(dtype.I64, int64(left))
	at := s.Rem(s.Add(i, s.ConstInt(dtype.I64, int64(turns-max(low, 0)))), extent)
	return s.Add(at, s.ConstInt(dtype.I64, int64(max(-low, 0))))
}
