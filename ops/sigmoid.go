package ops

import (
	"math"

	"github.com/go-acap/acap/mlir"
)

// The logistic function and what is made of it.
func init() {
	registerFunctions(inferFloat, function{"sigmoid", sigmoid,
		func(g *Gradient, dy, x, y Value) Value { return g.Mul(dy, g.Mul(y, g.OneMinus(y))) }, -4, 4})
	registerFunctions(floating(inferSame),
		function{"silu", func(s *Scalars, x Elem) Elem { return s.Mul(x, sigmoid(s, x)) },
			func(g *Gradient, dy, x, y Value) Value {
				p := g.Call("sigmoid", x)
				return g.Mul(dy, g.Mul(p, g.Add(g.Mul(x, g.OneMinus(p)), 1)))
			}, -4, 4},
		function{"mish",
			func(s *Scalars, x Elem) Elem { return s.Mul(x, s.Math("tanh", log1pExp(s, x))) },
			func(g *Gradient, dy, x, y Value) Value {
				t := g.Call("tanh", g.Call("softplus", x))
				p := g.Call("sigmoid", x)
				return g.Mul(dy, g.Add(t, g.Mul(g.Mul(x, p), g.OneMinus(g.Square(t)))))
			}, -4, 4},
	)
	register(&Op{
		Schema:  "log_sigmoid(Tensor self) -> Tensor",
		Infer:   floating(inferSame),
		Lower:   lower1(logSigmoid),
		Grad:    gradient1(logSigmoidGradient),
		Samples: samplesOf(Sample{S(3, 4)}),
	})
	register(&Op{
		Schema: "log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)",
		Infer: floating(func(c *Call) error {
			c.Result(c.DTypeOf(0), c.Shape(0))
			return inferSame(c)
		}),
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			x := []Lowered{l.In(c, 0)}
			y := l.Pointwise(c.Out[0], x, func(s *Scalars, x []Elem) Elem { return logSigmoid(s, x[0]) })
			buffer := l.Pointwise(c.Out[1], x, func(s *Scalars, x []Elem) Elem {
				return s.Exp(s.Neg(s.Abs(x[0])))
			})
			return []*mlir.Value{y.V, buffer.V}
		},
		Grad:    gradient1(logSigmoidGradient),
		Samples: samplesOf(Sample{S(3, 4)}),
	})
	register(&Op{
		Schema:  "logit(Tensor self, float? eps=None) -> Tensor",
		Inplace: true,
		Infer:   inferFloat,
		Lower:   lower1With(logit),
		Grad:    gradient1(logitGradient),
		Samples: samplesOf(Sample{SIn(0.1, 0.9, 3)}, Sample{SIn(0, 1, 3), 0.1}),
	})
}

func sigmoid(s *Scalars, x Elem) Elem {
	one := s.Const(x.D, 1)
	return s.Div(one, s.Add(one, s.Exp(s.Neg(x))))
}

// log1pExp is log(1 + eˣ) = max(x, 0) + log1p(exp(-|x|)).
func log1pExp(s *Scalars, x Elem) Elem {
	return s.Add(s.Max(x, s.Const(x.D, 0)), s.Math("log1p", s.Exp(s.Neg(s.Abs(x)))))
}

// logSigmoid is +0 where the logarithm is 0.
func logSigmoid(s *Scalars, x Elem) Elem { return s.Sub(s.Const(x.D, 0), log1pExp(s, s.Neg(x))) }

func logSigmoidGradient(g *Gradient, dy, x, y Value) Value {
	return g.Mul(dy, g.Call("sigmoid", g.Neg(x)))
}

// logit is log(x/(1-x)), of x clamped to [eps, 1-eps] if eps is given.
func logit(s *Scalars, c *Call, x Elem) Elem {
	one := s.Const(x.D, 1)
	if c.Has(1) {
		low, high := s.Const(x.D, c.Float(1)), s.Sub(one, s.Const(x.D, c.Float(1)))
		x = s.Select(s.Cmp("lt", x, low), low, s.Select(s.Cmp("gt", x, high), high, x))
	}
	return s.Log(s.Div(x, s.Sub(one, x)))
}

// logitGradient is dy/(x(1-x)) inside the bounds; outside it is 0, or NaN without
// eps.
func logitGradient(g *Gradient, dy, x, y Value) Value {
	low, outside := 0.0, g.Number(math.NaN(), x)
	if g.Has(1) {
		low, outside = g.Float(1), g.Number(0, x)
	}
	inside := g.And(g.Compare("ge", x, low), g.Compare("le", x, 1-low))
	return g.Where(inside, g.Div(dy, g.Mul(x, g.OneMinus(x))), outside)
}
