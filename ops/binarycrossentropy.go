package ops

import "github.com/go-acap/acap/base/shape"

// binary_cross_entropy: -(y·log x + (1-y)·log(1-x)), with the logarithms cut off
// at -100.
func init() {
	register(&Op{
		Schema: "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, " +
			"int reduction=Mean) -> Tensor",
		Infer: inferExpansion(func(c *Call) error {
			if !shape.Equal(c.Shape(0), c.Shape(1)) {
				return c.ShapeErrorf("target %v does not fit input %v: the shapes must be equal", c.Shape(1), c.Shape(0))
			}
			return nil
		}),
		Expand: func(e Emit, c *Call) []Value {
			x, y := e.wide(c.Tensor(0)), e.wide(c.Tensor(1))
			logX, logNot := e.cutLog(x), e.cutLog(e.OneMinus(x))
			v := e.Neg(e.Add(e.Mul(y, logX), e.Mul(e.OneMinus(y), logNot)))
			if c.Has(2) {
				v = e.Mul(v, c.Tensor(2))
			}
			return []Value{e.reduceLoss(v, c.Int(3), c.DTypeOf(0))}
		},
		Grad: func(g *Gradient) {
			x, y, dy := g.Tensor(0), g.Tensor(1), g.Grad(0)
			if g.Int(3) == lossMean {
				dy = g.Div(dy, float64(shape.Size(g.Shape(0))))
			}
			if g.Has(2) {
				dy = g.Mul(dy, g.Tensor(2))
			}
			span := g.Call("clamp_min", g.Mul(x, g.OneMinus(x)), 1e-12)
			g.Set(0, g.Mul(dy, g.Div(g.Sub(x, y), span)))
			if g.Needs(1) {
				g.Set(1, g.Mul(dy, g.Sub(g.cutLog(g.OneMinus(x)), g.cutLog(x))))
			}
		},
		Samples: samplesOf(Sample{SIn(0.1, 0.9, 3), SIn(0, 1, 3)},
			Sample{SIn(0.1, 0.9, 3), SIn(0, 1, 3), S(3), 2}),
	})
}

func (e Emit) cutLog(x Value) Value { return e.Call("clamp_min", e.Call("log", x), -100.0) }
