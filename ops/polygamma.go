package ops

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// polygamma is the n-th derivative of the digamma function, (-1)ⁿ⁺¹·n!·ζ(n+1, x)
// (DLMF 5.15.1); mvlgamma is the logarithm of the multivariate gamma function.
func init() {
	register(&Op{
		Schema: "polygamma(int n, Tensor self) -> Tensor",
		Infer: func(c *Call) error {
			if c.Int(0) < 0 {
				return c.ArgErrorf("n must not be negative, got %d", c.Int(0))
			}
			return c.Result(dtype.Floating(c.DTypeOf(1)), c.Shape(1))
		},
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			n := h.Int(0)
			x := h.converted(h.Buffer(1))
			for i, v := range x {
				switch {
				case n != 1:
					x[i] = polygamma(n, v)
				case h.Out[0].DType == dtype.F64:
					x[i] = trigamma(v)
				default:
					x[i] = float64(trigamma(float32(v)))
				}
			}
			return []*buf.Buffer{fromNumbers(h.Out[0].DType, h.Out[0].Shape, x)}, nil
		},
		Grad: func(g *Gradient) {
			g.Set(1, g.Mul(g.Grad(0), g.Call("polygamma", g.Int(0)+1, g.Tensor(1))))
		},
		Samples: samplesOf(Sample{2, SIn(0.5, 3, 2, 3)}),
	})
	register(&Op{
		Schema:  "mvlgamma(Tensor self, int p) -> Tensor",
		Inplace: true,
		Infer: func(c *Call) error {
			if c.Int(1) < 1 || c.Int(1) > mostOrder {
				return c.ArgErrorf("p must be from 1 to %d, got %d", mostOrder, c.Int(1))
			}
			return inferFloat(c)
		},
		Expand: func(e Emit, c *Call) []Value {
			p := float64(c.Int(1))
			d := c.Out[0].DType
			shifts := e.Call("arange.start_step", -(p-1)/2, 0.25, 0.5, d)
			all := e.Add(e.column(e.To(c.Tensor(0), d)), shifts)
			sum := e.Sum(e.Call("lgamma", all), []int{-1}, false)
			return []Value{e.Add(sum, p*(p-1)/4*math.Log(math.Pi))}
		},
		Samples: samplesOf(Sample{SIn(2, 4, 2, 3), 3}),
	})
}

// mostOrder bounds the order of mvlgamma, which is a sum of as many logarithms.
const mostOrder = 1 << 12

// polygamma is the derivative n of the digamma function at x.
func polygamma(n int, x float64) float64 {
	if n == 0 {
		return digamma(x)
	}
	v := math.Gamma(float64(n+1)) * zeta(float64(n+1), x)
	if n%2 == 0 {
		return -v
	}
	return v
}

// zeta is the Hurwitz zeta function Σ (k+q)⁻ˣ: infinite at its poles, NaN where it
// is not real.
func zeta(x, q float64) float64 {
	switch {
	case x == 1:
		return math.Inf(1)
	case x < 1 || q != q || math.IsInf(q, 1):
		return math.NaN()
	case q <= 0 && q == math.Floor(q):
		return math.Inf(1)
	case x != x || q <= 0 && x != math.Floor(x):
		return math.NaN()
	}
	return mathext.Zeta(x, q)
}

// trigamma is polygamma(1, x) in the precision of F: reflection for x < ½, then
// recurrence up to its asymptotic series (DLMF 5.15.6, 5.15.5, 5.15.8). Near its poles the result in float32 agrees
// with PyTorch's only if it is computed in float32.
func trigamma[F float32 | float64](x F) F {
	sign, sum := F(1), F(0)
	if x < 0.5 {
		sine := F(math.Sin(float64(math.Pi * x)))
		sign, sum, x = -1, -(math.Pi*math.Pi)/(sine*sine), 1-x
	}
	for range 6 {
		sum += 1 / (x * x)
		x++
	}
	r := 1 / (x * x)
	sum += (1 + 1/(2*x) + r*(F(1)/6-r*(F(1)/30-r*(F(1)/42)))) / x
	return sign * sum
}
