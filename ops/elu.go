package ops

// elu: scale·x for positive x, scale·alpha·(exp(input_scale·x) - 1) for others; celu
// and selu are cases of it.
func init() {
	register(&Op{
		Schema:  "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
		Inplace: true,
		Infer:   floating(inferSame),
		Lower: lower1With(func(s *Scalars, c *Call, x Elem) Elem {
			alpha, scale, in := c.Float(1), c.Float(2), c.Float(3)
			low := s.Mul(s.Math("expm1", s.Mul(x, s.Const(x.D, in))), s.Const(x.D, alpha*scale))
			return s.Select(s.Cmp("le", x, s.Const(x.D, 0)), low, s.Mul(x, s.Const(x.D, scale)))
		}),
		Grad: gradient1(func(g *Gradient, dy, x, y Value) Value {
			alpha, scale, in := g.Float(1), g.Float(2), g.Float(3)
			low := g.Mul(g.Call("exp", g.Mul(g.Call("clamp_max", x, 0), in)), alpha*scale*in) // at 0 constant, as PyTorch has it
			return g.Where(g.Compare("le", x, 0), g.Mul(dy, low), g.Mul(dy, scale))
		}),
		Samples: samplesOf(Sample{S(3, 4)}, Sample{S(3), 0.5, 2, 3}),
	})
	register(&Op{
		Schema:  "celu(Tensor self, Scalar alpha=1.0) -> Tensor",
		Inplace: true,
		Infer: func(c *Call) error {
			if c.Float(1) == 0 {
				return c.ArgErrorf("alpha must not be 0")
			}
			return floating(inferSame)(c)
		},
		Expand: func(e Emit, c *Call) []Value {
			return e.Calls("elu", c.Tensor(0), c.Scalar(1), 1.0, 1/c.Float(1))
		},
		Samples: samplesOf(Sample{S(3, 4), 0.5}),
	})
	register(&Op{
		Schema:  "selu(Tensor self) -> Tensor",
		Inplace: true,
		Infer:   floating(inferSame),
		Expand: func(e Emit, c *Call) []Value {
			return e.Calls("elu", c.Tensor(0), seluAlpha, seluScale, 1.0)
		},
		Samples: samplesOf(Sample{S(3, 4)}),
	})
}

// The constants of Klambauer et al., "Self-Normalizing Neural Networks", 2017.
const (
	seluAlpha = 1.6732632423543772848170429916717
	seluScale = 1.0507009873554804934193349852946
)
