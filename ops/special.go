package ops

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/scalar"
)

// The special functions of one variable that have no short sequence of vector
// instructions: they run on the host, in float64. PyTorch differentiates those
// that have a derivative here.
func init() {
	for _, o := range []struct {
		name    string
		inplace bool
		f       func(x float64) float64
		grad    func(g *Gradient, x, y Value) Value // dy/dx
	}{
		{"lgamma", true, lgamma, func(g *Gradient, x, _ Value) Value { return g.Call("digamma", x) }},
		{"digamma", true, digamma,
			func(g *Gradient, x, _ Value) Value { return g.Call("polygamma", 1, x) }},
		{"erfinv", true, math.Erfinv, func(g *Gradient, _, y Value) Value {
			return g.Mul(g.Call("exp", g.Mul(y, y)), math.Sqrt(math.Pi)/2)
		}},
		{"i0", true, besselI0, func(g *Gradient, x, _ Value) Value { return g.Call("special_i1", x) }},
		{"special_i0e", false, besselI0e, func(g *Gradient, x, y Value) Value {
			return g.Sub(g.Call("special_i1e", x), g.Mul(g.Call("sgn", x), y))
		}},
		{"special_i1", false, besselI1, gradI1("i0", false)},
		{"special_i1e", false, besselI1e, gradI1("special_i0e", true)},
		{"special_ndtri", false, normalQuantile, func(g *Gradient, _, y Value) Value {
			return g.Mul(g.Call("exp", g.Mul(g.Mul(y, y), 0.5)), math.Sqrt(2*math.Pi))
		}},
		{"special_log_ndtr", false, logNormal, func(g *Gradient, x, y Value) Value {
			scaled := g.Call("special_erfcx", g.Mul(g.Call("clamp_max", x, 0), -math.Sqrt2/2))
			low := g.Mul(g.Call("reciprocal", scaled), math.Sqrt(2/math.Pi))
			high := g.Mul(g.Call("exp", g.Neg(g.Add(y, g.Mul(g.Mul(x, x), 0.5)))), 1/math.Sqrt(2*math.Pi))
			return g.Where(g.Compare("lt", x, 0), low, high)
		}},
		{"special_entr", false, entropy, func(g *Gradient, x, _ Value) Value {
			return g.Neg(g.Add(g.Call("log", x), 1))
		}},
		{"special_spherical_bessel_j0", false, sphericalJ0, nil},
		{"special_bessel_j0", false, oscillating(false, math.J0), nil},
		{"special_bessel_j1", false, oscillating(true, math.J1), nil},
		{"special_bessel_y0", false, oscillating(false, math.Y0), nil},
		{"special_bessel_y1", false, oscillating(false, math.Y1), nil},
		{"special_modified_bessel_i0", false, besselI0, nil},
		{"special_modified_bessel_i1", false, besselI1, nil},
		{"special_modified_bessel_k0", false, ofOrder(0, besselK), nil},
		{"special_modified_bessel_k1", false, ofOrder(1, besselK), nil},
		{"special_scaled_modified_bessel_k0", false, ofOrder(0, besselKe), nil},
		{"special_scaled_modified_bessel_k1", false, ofOrder(1, besselKe), nil},
		{"special_airy_ai", false, airyAi, nil},
	} {
		param := "self"
		if o.grad == nil {
			param = "x"
		}
		op := &Op{
			Schema:  o.name + "(Tensor " + param + ") -> Tensor",
			Inplace: o.inplace,
			Infer:   inferFloat,
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				x := h.converted(h.Buffer(0))
				for i, v := range x {
					x[i] = o.f(v)
				}
				return []*buf.Buffer{fromNumbers(h.Out[0].DType, h.Out[0].Shape, x)}, nil
			},
			Samples: samplesOf(Sample{SIn(0.1, 0.9, 2, 3)}),
		}
		if o.grad != nil {
			op.Grad = func(g *Gradient) {
				x := g.To(g.Tensor(0), g.Out[0].DType)
				g.Set(0, g.Mul(g.Grad(0), o.grad(g, x, g.Out0())))
			}
		}
		register(op)
	}
}

// converted returns the elements of an operand as numbers of the result's type: large integers are rounded in f32, as
// by PyTorch.
func (h *HostCall) converted(b *buf.Buffer) []float64 {
	x := numbers[float64](b)
	if b.DType.IsInt() && h.Out[0].DType == dtype.F32 {
		for i, v := range x {
			x[i] = float64(float32(v))
		}
	}
	return x
}

// gradI1 is I₀(x) - I₁(x)/x, minus sign(x)·I₁ₑ(x) for the scaled form; ½ at 0.
func gradI1(zero string, scaled bool) func(g *Gradient, x, y Value) Value {
	return func(g *Gradient, x, y Value) Value {
		step := math.Ldexp(1, -x.Type().DType.Format().Mantissa)
		isZero := g.Compare("le", g.Call("abs", x), step) // a second derivative multiplies the rounding of y/x by 1/x
		safe := g.Call("masked_fill.Scalar", x, isZero, 1)
		factor := g.Call("reciprocal", safe)
		if scaled {
			factor = g.Add(factor, g.Call("sgn", safe))
		}
		d := g.Sub(g.Call(zero, safe), g.Mul(y, factor))
		if isNear := g.Compare("le", g.Call("abs", x), 0.125); !untracked(g.Builder) {
			d = g.Where(isNear, g.slopeNear0(g.Where(isNear, x, g.Number(0, x)), y, scaled), d)
		}
		return g.Call("masked_fill.Scalar", d, isZero, 0.5)
	}
}

// slopeNear0 is the derivative of I1, or of exp(-|x|)·I1, for |x| ≤ 1/8, by its series: the derivative of I0 - I1/x
// loses digits there.
func (g *Gradient) slopeNear0(x, y Value, scaled bool) Value {
	square, sum, factorial := g.Square(x), g.Number(0, x), 1.0
	var terms []float64
	for k := range 6 { // (2k+1)/(k!·(k+1)!·2^(2k+1))
		terms = append(terms, float64(2*k+1)/(factorial*factorial*float64(k+1)*math.Ldexp(1, 2*k+1)))
		factorial *= float64(k + 1)
	}
	for _, term := range slices.Backward(terms) {
		sum = g.Add(g.Mul(sum, square), term)
	}
	if scaled {
		return g.Sub(g.Mul(g.Call("exp", g.Neg(g.Call("abs", x))), sum), g.Mul(g.Call("sgn", x), y))
	}
	return sum
}

// lgamma is infinite at both ends, as C has it; Go's is -Inf at -Inf.
func lgamma(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Inf(1)
	}
	if math.Abs(x) < 0x1p-1022 {
		return -scalar.Log(math.Abs(x))
	}
	v, _ := math.Lgamma(x)
	return v
}

func sphericalJ0(x float64) float64 {
	switch {
	case math.IsInf(x, 0):
		return 0
	case math.Abs(x) < 1e-4:
		return 1 - x*x/6
	}
	return math.Sin(x) / x
}

func entropy(x float64) float64 {
	switch {
	case x > 0:
		return -x * scalar.Log(x)
	case x == 0:
		return 0
	case x != x:
		return x
	}
	return math.Inf(-1)
}

// normalQuantile is the inverse of the normal distribution function.
func normalQuantile(p float64) float64 {
	switch {
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case !(p > 0 && p < 1):
		return math.NaN()
	}
	if p >= 0x1p-1022 {
		return mathext.NormalQuantile(p)
	}
	x, log := mathext.NormalQuantile(0x1p-1022), scalar.Log(p)
	for range 3 { // Newton's steps on the logarithm
		x -= (logNormal(x) - log) * erfcx(-x/math.Sqrt2) * math.Sqrt(math.Pi/2)
	}
	return x
}

// logNormal is the logarithm of the normal distribution function.
func logNormal(x float64) float64 {
	if x < -1 {
		return math.Log(erfcx(-x/math.Sqrt2)/2) - x*x/2
	}
	return math.Log1p(-math.Erfc(x/math.Sqrt2) / 2)
}

// erfcx is exp(x²)·erfc(x); far out, its asymptotic series (DLMF 7.12.1).
func erfcx(x float64) float64 {
	if x < 25 {
		return math.Exp(x*x) * math.Erfc(x)
	}
	r := 1 / (2 * x * x)
	return (1 - r*(1-3*r*(1-5*r*(1-7*r*(1-9*r*(1-11*r)))))) / (x * math.Sqrt(math.Pi))
}

// digammaSeries are the coefficients of the asymptotic series of ln x - 1/(2x) - ψ(x) in 1/x² (DLMF 5.11.2).
var digammaSeries = []float64{1. / 12, -1. / 120, 1. / 252, -1. / 240, 1. / 132, -691. / 32760, 1. / 12}

// digamma is ψ(x), the derivative of ln Γ(x). ψ(x) = ψ(x+1) - 1/x leads to where the series has all digits, and
// ψ(x) = ψ(1-x) - π/tan(πx) to positive numbers. It is infinite at 0, and NaN at the other poles.
func digamma(x float64) float64 {
	switch {
	case x == 0:
		return math.Copysign(math.Inf(1), -x)
	case x < 0 && x == math.Trunc(x):
		return math.NaN()
	case x < 0:
		return digamma(1-x) - math.Pi/math.Tan(math.Pi*math.Mod(x, 1))
	}
	sum := 0.0
	for ; x < 10; x++ {
		sum -= 1 / x
	}
	square, series := 1/x/x, 0.0
	for i := len(digammaSeries) - 1; i >= 0; i-- {
		series = square * (digammaSeries[i] + series)
	}
	return sum + math.Log(x) - 1/(2*x) - series
}

func airyAi(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return math.NaN()
	case x > 103.892: // underflows
		return 0
	}
	return real(mathext.AiryAi(complex(x, 0)))
}
