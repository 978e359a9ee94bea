package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// The error function, its complement, and the complement scaled by exp(x²).
func init() {
	registerFunctions(inferFloat,
		function{"erf", mathOf("erf"), erfGradient(2 / math.SqrtPi), -3, 3},
		function{"erfc", erfc, erfGradient(-2 / math.SqrtPi), -3, 3},
	)
	register(&Op{
		Schema: "special_erfcx(Tensor self) -> Tensor",
		Infer:  inferFloat,
		Lower:  lower1(scaledErfc),
		Grad: gradient1(func(g *Gradient, dy, x, y Value) Value {
			return g.Mul(dy, g.Sub(g.Mul(g.Mul(x, y), 2), 2/math.SqrtPi))
		}),
		Samples: samplesOf(Sample{SIn(-3, 30, 2, 3)}),
	})
}

// erfGradient returns the gradient factor·exp(-x²)·dy.
func erfGradient(factor float64) func(g *Gradient, dy, x, y Value) Value {
	return func(g *Gradient, dy, x, y Value) Value {
		return g.Mul(dy, g.Mul(g.Call("exp", g.Neg(g.Square(x))), factor))
	}
}

// erfcSeries are the coefficients of ln(erfc(x)·exp(x²)/t), x ≥ 0, in Chebyshev
// polynomials of 2t - 1, where t = 2/(2+x). They were fitted at the zeros of the
// 40th polynomial with 60 digits. 12 terms give a relative error of 1e-8, 24 of 1e-13.
var erfcSeries = []float64{
	-0.6513268598908547, 0.64196979235649021, 0.019476473204185836, -0.0095615147868086323,
	-0.00094659534448203692, 0.00036683949785276145, 4.2523324806907769e-05, -2.0278578112534242e-05,
	-1.6242900046470256e-06, 1.3036558355805232e-06, 1.5626441722066142e-08, -8.5238095914926541e-08,
	6.5290544390988515e-09, 5.0593434955514693e-09, -9.9136415649303307e-10, -2.273651222931836e-10,
	9.646791102015527e-11, 2.3940380830391146e-12, -6.8860275264975532e-12, 8.9448792730907253e-13,
	3.1309213993429581e-13, -1.1270822361367252e-13, 3.8109052551892321e-16, 7.1060976136092371e-15,
}

// erfc keeps its relative accuracy where 1 - erf(x) would cancel: for x ≥ 0 it is
// t·exp(series - x²), and 2 - erfc(-x) for others.
func erfc(s *Scalars, x Elem) Elem {
	a := s.Abs(x)
	t, sum := erfcTerms(s, a)
	r := s.Mul(t, s.Exp(s.Sub(sum, s.Mul(a, a))))
	return s.Select(s.Cmp("lt", x, s.Const(x.D, 0)), s.Sub(s.Const(x.D, 2), r), r)
}

// scaledErfc is exp(x²)·erfc(x): t·exp(series) for x ≥ 0, and 2·exp(x²) - scaledErfc(-x) for others.
// The rounding error of x² is exp's relative error, so that x² is taken as a sum of two numbers.
func scaledErfc(s *Scalars, x Elem) Elem {
	k := func(v float64) Elem { return s.Const(x.D, v) }
	t, sum := erfcTerms(s, s.Abs(x))
	r := s.Mul(t, s.Exp(sum))
	square := s.Mul(x, x)
	grown := s.Exp(square)
	rest := s.Math("fma", x, x, s.Neg(square))
	finite := s.Cmp("lt", grown, k(math.Inf(1)))
	corrected := s.Select(finite, s.Mul(grown, s.Add(k(1), rest)), grown)
	return s.Select(s.Cmp("lt", x, k(0)), s.Sub(s.Mul(k(2), corrected), r), r)
}

// erfcTerms returns t = 2/(2+x) and the sum of the series for x ≥ 0.
func erfcTerms(s *Scalars, x Elem) (t, sum Elem) {
	series := erfcSeries
	if x.D == dtype.F32 {
		series = series[:12]
	}
	k := func(v float64) Elem { return s.Const(x.D, v) }
	t = s.Div(k(2), s.Add(k(2), x))
	y := s.Sub(s.Mul(t, k(4)), k(2)) // twice the argument of the polynomials
	// Clenshaw's recurrence.
	b, before := k(0), k(0)
	for i := len(series) - 1; i > 0; i-- {
		b, before = s.Add(s.Sub(s.Mul(y, b), before), k(series[i])), b
	}
	return t, s.Add(s.Sub(s.Mul(s.Mul(y, k(0.5)), b), before), k(series[0]))
}
