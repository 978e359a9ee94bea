package ops_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// polynomials are explicit forms of the orthogonal polynomials (DLMF 18.5).
var polynomials = map[string]func(n int, x float64) float64{
	"chebyshev_polynomial_t": func(n int, x float64) float64 { return chebyshevSum(n, x) - chebyshevRest(n, x) },
	"chebyshev_polynomial_u": chebyshevSum,
	"chebyshev_polynomial_v": func(n int, x float64) float64 { return chebyshevSum(n, x) - chebyshevSum(n-1, x) },
	"chebyshev_polynomial_w": func(n int, x float64) float64 { return chebyshevSum(n, x) + chebyshevSum(n-1, x) },
	"hermite_polynomial_h":   func(n int, x float64) float64 { return hermiteSum(n, 2*x, 1) },
	"hermite_polynomial_he":  func(n int, x float64) float64 { return hermiteSum(n, x, 0.5) },
	"laguerre_polynomial_l": func(n int, x float64) (sum float64) {
		for k := range n + 1 {
			sum += float64(combin.Binomial(n, k)) * math.Pow(-x, float64(k)) / math.Gamma(float64(k+1))
		}
		return sum
	},
	"legendre_polynomial_p": func(n int, x float64) (sum float64) {
		for k := range n/2 + 1 {
			c := float64(combin.Binomial(n, k)) * float64(combin.Binomial(2*n-2*k, n))
			sum += math.Pow(-1, float64(k)) * c * math.Pow(x, float64(n-2*k))
		}
		return sum / math.Pow(2, float64(n))
	},
}

// chebyshevSum is Uₙ = Σ (-1)ᵏ·C(n-k, k)·(2x)ⁿ⁻²ᵏ.
func chebyshevSum(n int, x float64) (sum float64) {
	for k := 0; n >= 0 && k <= n/2; k++ {
		sum += math.Pow(-1, float64(k)) * float64(combin.Binomial(n-k, k)) * math.Pow(2*x, float64(n-2*k))
	}
	return sum
}

// chebyshevRest is Uₙ - Tₙ = x·Uₙ₋₁.
func chebyshevRest(n int, x float64) float64 { return x * chebyshevSum(n-1, x) }

// hermiteSum is n!·Σ (-c)ᵐ·xⁿ⁻²ᵐ/(m!·(n-2m)!).
func hermiteSum(n int, x, c float64) (sum float64) {
	for m := range n/2 + 1 {
		sum += math.Pow(-c, float64(m)) * math.Pow(x, float64(n-2*m)) / (math.Gamma(float64(m+1)) * math.Gamma(float64(n-2*m+1)))
	}
	return sum * math.Gamma(float64(n+1))
}

// TestPolynomials: every degree up to 14, inside of (-1, 1), at its ends and outside; a negative degree gives 0.
func TestPolynomials(t *testing.T) {
	degrees := []int64{-2, -1, 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 13, 14}
	points := []float64{-1.25, -1, -0.875, -0.25, 0, 0.125, 0.75, 1, 1.5}
	n := tensor.Of(degrees).View([]int{-1, 1})
	check := func(name string, f func(n int, x float64) float64, to func(x float64) float64) {
		x := make([]float64, len(points))
		for k, p := range points {
			x[k] = to(p)
		}
		all := tensor.Call("special_"+name, tensor.Of(x), n)[0].Float64s()
		for i, degree := range degrees {
			for k, p := range points {
				want := 0.0
				if degree >= 0 {
					want = f(int(degree), p)
				}
				require.InDelta(t, want, all[i*len(points)+k], 1e-9*(1+math.Abs(want)), fmt.Sprint(name, degree, p))
			}
		}
	}
	for name, f := range polynomials {
		check(name, f, func(x float64) float64 { return x })
		if name[0] == 'c' {
			check("shifted_"+name, f, func(x float64) float64 { return (x + 1) / 2 })
		}
	}
	of := func(name string, x, degree float64) float64 {
		return tensor.Call("special_"+name+".n_scalar", tensor.Of([]float64{x}), degree)[0].Float64s()[0]
	}
	require.True(t, math.IsNaN(of("legendre_polynomial_p", 0.5, math.NaN())))
	require.Zero(t, of("legendre_polynomial_p", 0.5, -1<<40))
	require.Equal(t, 1.0, of("legendre_polynomial_p", 1, 1<<40))
	require.Equal(t, math.Cos((1<<40)*math.Acos(0.5)), of("chebyshev_polynomial_t", 0.5, 1<<40))
	refused := func(name string, degree float64) (detail string) {
		defer func() { detail = recover().(*ops.ArgError).Detail }()
		of(name, 0.5, degree)
		return ""
	}
	require.Equal(t, "degree 1099511627776 is above 1048576", refused("legendre_polynomial_p", 1<<40))
	require.Equal(t, "degree +Inf is above 2^53", refused("chebyshev_polynomial_t", math.Inf(1)))
}
