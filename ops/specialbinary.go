package ops

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/go-acap/acap/base/buf"
)

// The special functions of two variables that run on the host: the incomplete
// gamma functions, the Hurwitz zeta function and the orthogonal polynomials.
func init() {
	lower := special2("igamma", "Tensor self", "Tensor other", incompleteGamma, gradIncompleteGamma(1))
	upper := special2("igammac", "Tensor self", "Tensor other", incompleteGammaC, gradIncompleteGamma(-1))
	for _, op := range []*Op{lower, upper} {
		op.Inplace = true
		register(op)
	}
	for _, overload := range []string{"", "self_scalar", "other_scalar"} {
		registerOverload("special_zeta", "self", "other", overload, zeta, func(g *Gradient) {
			if !g.Needs(1) {
				return
			}
			// The derivative by the second variable is -x·ζ(x + 1, q).
			if x := g.Tensor(0); x != nil {
				next := g.Call("special_zeta", g.Add(x, 1), g.Tensor(1))
				g.Set(1, g.Neg(g.Mul(g.Mul(g.Grad(0), x), next)))
				return
			}
			x := g.Args[0].Float()
			next := g.Call("special_zeta.self_scalar", x+1, g.Tensor(1))
			g.Set(1, g.Mul(g.Mul(g.Grad(0), next), -x))
		})
	}
	for name, f := range map[string]func(x float64, n int) float64{
		"chebyshev_polynomial_t": chebyshevT, "chebyshev_polynomial_u": chebyshevU,
		"chebyshev_polynomial_v": chebyshevV, "chebyshev_polynomial_w": chebyshevW,
		"shifted_chebyshev_polynomial_t": shifted(chebyshevT),
		"shifted_chebyshev_polynomial_u": shifted(chebyshevU),
		"shifted_chebyshev_polynomial_v": shifted(chebyshevV),
		"shifted_chebyshev_polynomial_w": shifted(chebyshevW),
		"hermite_polynomial_h":           hermiteH, "hermite_polynomial_he": hermiteHe,
		"laguerre_polynomial_l": laguerre, "legendre_polynomial_p": legendre,
	} {
		for _, overload := range []string{"", "x_scalar", "n_scalar"} {
			registerOverload("special_"+name, "x", "n", overload, func(x, n float64) float64 {
				switch {
				case n != n:
					return n
				case n > MaxPolynomialDegree:
					panic(&ArgError{Detail: fmt.Sprintf("degree %g is above 2^53", n)})
				}
				return f(x, int(max(n, -1)))
			}, nil)
		}
	}
}

// registerOverload registers the overload of (Tensor x, Tensor y) in which one of
// them may be a number ("x_scalar").
func registerOverload(name, x, y, overload string, f func(x, y float64) float64,
	grad func(g *Gradient)) {
	px, py := "Tensor "+x, "Tensor "+y
	switch overload {
	case x + "_scalar":
		px = "Scalar " + x
	case y + "_scalar":
		py = "Scalar " + y
	}
	if overload != "" {
		name += "." + overload
	}
	register(special2(name, px, py, f, grad))
}

func special2(name, x, y string, f func(x, y float64) float64, grad func(g *Gradient)) *Op {
	sample := Sample{SIn(1.2, 1.9, 2, 3), SIn(1, 3, 3)}
	if x[0] == 'S' {
		sample[0] = 2.5
	} else if y[0] == 'S' {
		sample[1] = 2
	}
	return &Op{
		Schema: name + "(" + x + ", " + y + ") -> Tensor",
		Infer:  inferBinaryFloat,
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			a, b := valueBuffer(h, 0), valueBuffer(h, 1)
			xs, ys := h.converted(a), h.converted(b)
			dims := h.Out[0].Shape
			out := make([]float64, 0, len(xs))
			each(dims, [][]int{broadcastStrides(a.Shape, dims), broadcastStrides(b.Shape, dims)},
				func(at []int) { out = append(out, f(xs[at[0]], ys[at[1]])) })
			return []*buf.Buffer{fromNumbers(h.Out[0].DType, dims, out)}, nil
		},
		Grad:    grad,
		Samples: samplesOf(sample),
	}
}

// incompleteGamma is the regularized lower incomplete gamma function P(a, x).
func incompleteGamma(a, x float64) float64 {
	switch {
	case a < 0 || x < 0:
		return math.NaN()
	case a == 0:
		if x > 0 {
			return 1
		}
		return math.NaN()
	case math.IsInf(a, 1):
		if math.IsInf(x, 1) {
			return math.NaN()
		}
		return 0
	case math.IsInf(x, 1):
		return 1
	case a != a || x != x:
		return math.NaN()
	}
	return mathext.GammaIncReg(a, x)
}

// incompleteGammaC is 1 - P(a, x).
func incompleteGammaC(a, x float64) float64 {
	p := incompleteGamma(a, x)
	if p != p || a == 0 || x == 0 || math.IsInf(a, 0) || math.IsInf(x, 0) {
		return 1 - p
	}
	return mathext.GammaIncRegComp(a, x)
}

// gradIncompleteGamma: ∂P/∂x = xᵃ⁻¹·e⁻ˣ/Γ(a). There is none for a, as in PyTorch.
func gradIncompleteGamma(sign float64) func(g *Gradient) {
	return func(g *Gradient) {
		if !g.Needs(1) {
			return
		}
		a, x := g.Tensor(0), g.Tensor(1)
		log := g.Mul(g.Sub(a, 1), g.Call("log", x))
		log = g.Sub(g.Sub(log, x), g.Call("lgamma", a))
		g.Set(1, g.Mul(g.Mul(g.Grad(0), g.Call("exp", log)), sign))
	}
}
