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
			x, y := g.Tensor(0), g.Tensor(1)
			g.Set(0, g.Call("binary_cross_entropy_backward", g.Grad(0), x, y, g.Args[2], g.Int(3)))
			if g.Needs(1) {
				dy := g.elementLoss(g.Grad(0), g.call, 0)
				g.Set(1, g.Mul(dy, g.Sub(g.Call("log", g.OneMinus(x)), g.Call("log", x))))
			}
		},
		Samples: samplesOf(Sample{SIn(0.1, 0.9, 3), SIn(0, 1, 3)},
			Sample{SIn(0.1, 0.9, 3), SIn(0, 1, 3), S(3), 2}),
	})
	// The gradient (x-y)/(x·(1-x)) has a bound on its divisor, which PyTorch rounds to float32. The own gradient of the
	// gradient has one added to each factor of the divisor.
	const least, added = float64(float32(1e-12)), 1e-12
	register(&Op{
		Schema: "binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, " +
			"int reduction=Mean) -> Tensor",
		Infer: inferExpansion(func(c *Call) error {
			if !shape.Equal(c.Shape(1), c.Shape(2)) {
				return c.ShapeErrorf("target %v does not fit input %v: the shapes must be equal", c.Shape(2), c.Shape(1))
			}
			return nil
		}),
		Expand: func(e Emit, c *Call) []Value {
			x, y := c.Tensor(1), c.Tensor(2)
			span := e.Call("clamp_min", e.Mul(x, e.OneMinus(x)), least)
			return []Value{e.Mul(e.elementLoss(c.Tensor(0), c, 1), e.Div(e.Sub(x, y), span))}
		},
		Grad: func(g *Gradient) {
			x, y, dd := g.Tensor(1), g.Tensor(2), g.elementLoss(g.Grad(0), g.call, 1)
			not := g.OneMinus(x)
			span := g.Call("clamp_min", g.Mul(x, not), least)
			g.Set(0, g.Mul(dd, g.Div(g.Sub(x, y), span)))
			dd = g.Mul(dd, g.Tensor(0))
			factors := g.Mul(g.Add(x, added), g.Add(not, added))
			squares := g.Add(g.Mul(g.Mul(x, x), g.OneMinus(y)), g.Mul(y, g.Mul(not, not))) // x²·(1-y) + y·(1-x)²
			g.Set(1, g.Mul(dd, g.Div(squares, g.Mul(factors, factors))))
			g.Set(2, g.Neg(g.Div(dd, g.Call("clamp_min", g.Mul(x, not), added))))
		},
		Samples: samplesOf(Sample{S(3), SIn(0.1, 0.9, 3), SIn(0, 1, 3), nil, 0},
			Sample{S(), SIn(0.1, 0.9, 3), SIn(0, 1, 3), S(3)}),
	})
}

// elementLoss is the gradient of each element's share of a loss, whose input, target, weight and reduction are the
// arguments from first.
func (e Emit) elementLoss(dy Value, c *Call, first int) Value {
	if c.Int(first+3) == lossMean {
		dy = e.Div(dy, float64(shape.Size(c.Shape(first))))
	}
	if c.Has(first + 2) {
		dy = e.Mul(dy, c.Tensor(first+2))
	}
	return dy
}

func (e Emit) cutLog(x Value) Value { return e.Call("clamp_min", e.Call("log", x), -100.0) }
