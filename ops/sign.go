package ops

import "github.com/go-acap/acap/base/dtype"

// Signs and magnitudes.
func init() {
	for _, name := range []string{"neg", "negative"} {
		registerFunctions(inferNeg, function{name, (*Scalars).Neg,
			func(g *Gradient, dy, x, y Value) Value { return g.Neg(dy) }, -2, 2})
	}
	for _, name := range []string{"abs", "absolute"} {
		registerFunctions(inferMagnitude(inferSame), function{name, (*Scalars).Abs,
			func(g *Gradient, dy, x, y Value) Value {
				return g.Mul(dy, g.Conj(g.Call("sgn", x))) // not analytic
			}, -2, 2})
	}
	registerFunctions(inferSame,
		function{"sign", sign, nil, -2, 2},
		function{"sgn", sign, directionGradient, -2, 2},
	)
	register(&Op{
		Schema:  "signbit(Tensor self) -> Tensor",
		Infer:   inferBool,
		Lower:   lowerTest(signbit),
		Samples: samplesOf(Sample{S(3, 4)}, Sample{T{DType: dtype.I32, Shape: []int{3}}}),
	})
}

// directionGradient is 0 for real numbers. Of complex ones it is what of dy is across the
// direction y = x/|x|, divided by |x|, and 0 at 0; dy is conjugated here.
func directionGradient(g *Gradient, dy, x, y Value) Value {
	if !x.Type().DType.IsComplex() {
		return g.Zeros(x.Type())
	}
	along := g.part(g.Mul(dy, y), 0)
	across := g.Sub(dy, g.Mul(g.Emit.complex(along, g.Zeros(along.Type())), g.Conj(y)))
	size := g.Call("abs", x)
	some := g.Compare("ne", size, 0)
	size = g.Where(some, size, g.Number(1, size))
	of := func(i int) Value { return g.Keep(some, g.Div(g.part(across, i), size)) }
	return g.Emit.complex(of(0), of(1))
}

func inferNeg(c *Call) error {
	if c.DTypeOf(0) == dtype.Bool {
		return c.DTypeErrorf("a bool tensor has no negative; use logical_not")
	}
	return inferSame(c)
}

// sign is -1, 0 or 1; of NaN, 0.
func sign(s *Scalars, x Elem) Elem {
	if x.D == dtype.Bool {
		return x
	}
	zero := s.Const(x.D, 0)
	positive := s.Cast(s.Cmp("gt", x, zero), x.D)
	if !x.D.IsSigned() {
		return positive
	}
	return s.Sub(positive, s.Cast(s.Cmp("lt", x, zero), x.D))
}

// signbit is set for negative numbers, -0 and negative NaN.
func signbit(s *Scalars, x Elem) Elem {
	if !x.D.IsSigned() {
		return s.ConstInt(dtype.Bool, 0)
	}
	x = s.Bits(x)
	return s.Cmp("lt", x, s.ConstInt(x.D, 0))
}
