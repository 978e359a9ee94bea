package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// softmax and log_softmax over one dimension. The greatest element is subtracted first,
// so nothing overflows; half types are computed in float32.
func init() {
	for _, o := range []struct {
		name   string
		lower  func(l *Lowering, c *Call, exp, sum, shifted Lowered) Lowered
		finish func(g *Gradient, dy, y Value, dim int) Value
	}{
		{"softmax", func(l *Lowering, c *Call, exp, sum, _ Lowered) Lowered {
			return l.Pointwise(c.Out[0], []Lowered{exp, sum},
				func(s *Scalars, x []Elem) Elem { return s.Div(x[0], x[1]) })
		}, softmaxGradient},
		{"log_softmax", func(l *Lowering, c *Call, _, sum, shifted Lowered) Lowered {
			return l.Pointwise(c.Out[0], []Lowered{shifted, sum},
				func(s *Scalars, x []Elem) Elem { return s.Sub(x[0], s.Log(x[1])) })
		}, logSoftmaxGradient},
	} {
		register(&Op{
			Schema: "_" + o.name + "(Tensor self, int dim, bool half_to_float) -> Tensor",
			Infer:  inferSoftmax,
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				t := l.In(c, 0)
				if len(t.Shape()) == 0 {
					t = l.Reshape(t, []int{1})
					c = &Call{Op: c.Op, Args: c.Args, Out: []TensorType{{c.Out[0].DType, []int{1}}}}
				}
				exp, sum, shifted := l.exponentials(t, c.Int(1))
				return one(l.Reshape(o.lower(l, c, exp, sum, shifted), c.Shape(0)))
			},
			Grad: gradient1(func(g *Gradient, dy, x, y Value) Value {
				return o.finish(g, dy, y, g.Int(1))
			}),
			Samples: samplesOf(Sample{S(3, 4), -1, false}, Sample{S(3, 4), 0, false}, Sample{S(), 0, false}),
		})
		for _, name := range []string{o.name, "special_" + o.name} {
			overload := ".int"
			if name != o.name {
				overload = ""
			}
			register(&Op{
				Schema: name + overload + "(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
				Infer: func(c *Call) error {
					if _, err := shape.Dim(c.Int(1), len(c.Shape(0))); err != nil {
						return err
					}
					return c.Result(c.DType(2, dtype.Floating(c.DTypeOf(0))), c.Shape(0))
				},
				Expand: func(e Emit, c *Call) []Value {
					return e.Calls("_"+o.name, e.To(c.Tensor(0), c.Out[0].DType), c.Int(1), false)
				},
				Samples: samplesOf(Sample{S(3, 4), -1}),
			})
		}
	}
}

func inferSoftmax(c *Call) error {
	if _, err := shape.Dim(c.Int(1), len(c.Shape(0))); err != nil {
		return err
	}
	d := c.DTypeOf(0)
	switch {
	case !d.IsFloat():
		return c.DTypeErrorf("takes floating tensors, not %v", d)
	case c.Bool(2) && d == dtype.F16:
		d = dtype.F32
	}
	return c.Result(d, c.Shape(0))
}

// exponentials returns exp(x - max), its sum over dim (kept) and x - max, widened.
func (l *Lowering) exponentials(t Lowered, dim int) (exp, sum, shifted Lowered) {
	dim, _ = shape.Dim(dim, len(t.Shape()))
	d, dims := widened(t.D), []int{dim}
	wide := TensorType{d, t.Shape()}
	most := l.Fold(t, dims, true, d, maxOf)
	shifted = l.Pointwise(wide, []Lowered{t, most},
		func(s *Scalars, x []Elem) Elem { return s.Sub(x[0], x[1]) })
	exp = l.Pointwise(wide, []Lowered{shifted},
		func(s *Scalars, x []Elem) Elem { return s.Exp(x[0]) })
	return exp, l.Fold(exp, dims, true, d, sumOf), shifted
}

// softmaxGradient is y·(dy - Σ y·dy).
func softmaxGradient(g *Gradient, dy, y Value, dim int) Value {
	weighted := g.Mul(dy, y)
	return g.Sub(weighted, g.Mul(y, g.Sum(weighted, []int{dim}, true)))
}

// logSoftmaxGradient is dy - exp(y)·Σ dy.
func logSoftmaxGradient(g *Gradient, dy, y Value, dim int) Value {
	return g.Sub(dy, g.Mul(g.Call("exp", y), g.Sum(dy, []int{dim}, true)))
}
