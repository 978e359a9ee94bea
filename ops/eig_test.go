package ops_test

import (
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// complexOf returns the elements of a tensor.
func complexOf(x *tensor.Tensor) []complex128 {
	p := parts(x)
	z := make([]complex128, len(p)/2)
	for i := range z {
		z[i] = complex(p[2*i], p[2*i+1])
	}
	return z
}

// TestEigenvalues: matrices whose eigenvalues are known have these, A·V is V·diag(λ), and vectors are as long as 1.
func TestEigenvalues(t *testing.T) {
	for name, c := range map[string]struct{ a, want []complex128 }{
		"one row":                   {[]complex128{2 - 3i}, []complex128{2 - 3i}},
		"a turn":                    {[]complex128{0, -1, 1, 0}, []complex128{-1i, 1i}},
		"roots of (x-1)(x-2)(x+3)":  {[]complex128{0, 7, -6, 1, 0, 0, 0, 1, 0}, []complex128{-3, 1, 2}},
		"fourth roots of 1":         {[]complex128{0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, []complex128{-1, -1i, 1i, 1}},
		"a triangle":                {[]complex128{1 + 1i, 2, 5i, 0, 3 - 2i, 1, 0, 0, -4i}, []complex128{-4i, 1 + 1i, 3 - 2i}},
		"roots of (x-i)(x-2i)(x-1)": {[]complex128{1 + 3i, 2 - 3i, -2, 1, 0, 0, 0, 1, 0}, []complex128{1i, 2i, 1}},
		"large and small":           {[]complex128{1e200i, 1, 0, 1e-200}, []complex128{1e-200, 1e200i}},
		"nothing":                   {[]complex128{0, 0, 0, 0}, []complex128{0, 0}},
		"fourth roots of -4":        {[]complex128{0, 0, 0, -4, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, []complex128{-1 - 1i, -1 + 1i, 1 - 1i, 1 + 1i}},
	} {
		t.Run(name, func(t *testing.T) {
			n := len(c.want)
			a := tensor.FromSlice(c.a, n, n)
			out := tensor.Call("linalg_eig", a)
			values, vectors := complexOf(out[0]), complexOf(out[1])
			order := func(x, y complex128) int {
				if d := real(x) - real(y); math.Abs(d) > 1e-9 {
					return int(math.Copysign(1, d))
				}
				return int(math.Copysign(1, imag(x)-imag(y)))
			}
			require.Len(t, values, n)
			scale := 1.0
			for _, v := range c.want {
				scale = max(scale, cmplx.Abs(v))
			}
			for j, v := range values {
				length := 0.0
				for i := range n {
					sum := complex128(0)
					for k := range n {
						sum += c.a[i*n+k] * vectors[k*n+j]
					}
					require.InDelta(t, 0, cmplx.Abs(sum-v*vectors[i*n+j])/scale, 1e-13)
					length = math.Hypot(length, cmplx.Abs(vectors[i*n+j]))
				}
				require.InDelta(t, 1, length, 1e-13)
			}
			slices.SortFunc(values, order)
			for i, w := range slices.SortedFunc(slices.Values(c.want), order) {
				require.InDelta(t, 0, cmplx.Abs(values[i]-w)/scale, 1e-13, "%v, expected %v", values, c.want)
			}
		})
	}
}
