package ops

import "math"

// gelu: x·Φ(x), with the normal distribution function Φ or its approximation by tanh.
func init() {
	register(&Op{
		Schema:  "gelu(Tensor self, *, str approximate='none') -> Tensor",
		Inplace: true,
		Infer: func(c *Call) error {
			if a := c.Args[1].Text(); a != "none" && a != "tanh" {
				return c.ArgErrorf(`approximate is %q; expected "none" or "tanh"`, a)
			}
			return floating(inferSame)(c)
		},
		Lower: lower1With(func(s *Scalars, c *Call, x Elem) Elem {
			half, one := s.Const(x.D, 0.5), s.Const(x.D, 1)
			var t Elem
			if c.Args[1].Text() == "tanh" {
				cube := s.Mul(s.Mul(s.Mul(x, x), x), s.Const(x.D, geluCubic))
				t = s.Math("tanh", s.Mul(s.Add(x, cube), s.Const(x.D, geluScale)))
			} else {
				t = s.Math("erf", s.Mul(x, s.Const(x.D, 1/math.Sqrt2)))
			}
			return s.Mul(s.Mul(x, half), s.Add(one, t))
		}),
		Grad:    gradient1(geluGradient),
		Samples: samplesOf(Sample{S(3, 4)}, Sample{S(3), "tanh"}),
	})
}

// The constants of Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016:
// x·Φ(x) ≈ x/2·(1 + tanh(√(2/π)(x + 0.044715x³))).
const (
	geluCubic = 0.044715
	geluScale = math.Sqrt2 / math.SqrtPi
)

func geluGradient(g *Gradient, dy, x, y Value) Value {
	if g.Args[1].Text() == "tanh" {
		square := g.Square(x)
		t := g.Call("tanh", g.Mul(g.Mul(x, g.Add(g.Mul(square, geluCubic), 1)), geluScale))
		inner := g.Mul(g.Add(g.Mul(square, 3*geluCubic), 1), geluScale)
		slope := g.Mul(g.Mul(x, g.OneMinus(g.Square(t))), inner)
		return g.Mul(dy, g.Mul(g.Add(g.Add(t, 1), slope), 0.5))
	}
	cdf := g.Mul(g.Add(g.Call("erf", g.Mul(x, 1/math.Sqrt2)), 1), 0.5)
	pdf := g.Mul(g.Call("exp", g.Mul(g.Square(x), -0.5)), 1/(math.Sqrt2*math.SqrtPi))
	return g.Mul(dy, g.Add(cdf, g.Mul(x, pdf)))
}
