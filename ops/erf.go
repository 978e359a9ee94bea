package ops

import "math"

// The error function and its complement.
func init() {
	registerFunctions(inferFloat,
		function{"erf", mathOf("erf"), erfGradient(2 / math.SqrtPi), -3, 3},
		function{"erfc", erfc, erfGradient(-2 / math.SqrtPi), -3, 3},
	)
}

// erfGradient returns the gradient factor·exp(-x²)·dy.
func erfGradient(factor float64) func(g *Gradient, dy, x, y Value) Value {
	return func(g *Gradient, dy, x, y Value) Value {
		return g.Mul(dy, g.Mul(g.Call("exp", g.Neg(g.Square(x))), factor))
	}
}

// erfc is 1 - erf(x).
func erfc(s *Scalars, x Elem) Elem { return s.Sub(s.Const(x.D, 1), s.Math("erf", x)) }
