package ops_test

import (
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestComplexFactorizations: determinants and factors of complex matrices are those that are computed by hand.
func TestComplexFactorizations(t *testing.T) {
	near := func(t *testing.T, want []complex128, got *tensor.Tensor) {
		t.Helper()
		z := complexOf(got)
		require.Len(t, z, len(want))
		for i, w := range want {
			require.InDelta(t, 0, cmplx.Abs(z[i]-w), 1e-13, "%v, expected %v", z, want)
		}
	}
	a := tensor.FromSlice([]complex128{1i, 2, 2 + 2i, 1}, 2, 2)
	t.Run("det", func(t *testing.T) {
		near(t, []complex128{-4 - 3i}, tensor.Call("linalg_det", a)[0])
		near(t, []complex128{0}, tensor.Call("linalg_det", tensor.FromSlice([]complex128{1i, -1, 1, 1i}, 2, 2))[0])
	})
	t.Run("slogdet", func(t *testing.T) {
		out := tensor.Call("linalg_slogdet", a)
		near(t, []complex128{-0.8 - 0.6i}, out[0])
		require.InDelta(t, 1.6094379124341003, out[1].Item(), 1e-13) // ln 5
	})
	t.Run("lu", func(t *testing.T) { // |2| + |2| makes the second row the pivot; i/(2+2i) is (1+i)/4
		out := tensor.Call("linalg_lu", a)
		near(t, []complex128{0, 1, 1, 0}, out[0])
		near(t, []complex128{1, 0, 0.25 + 0.25i, 1}, out[1])
		near(t, []complex128{2 + 2i, 1, 0, 1.75 - 0.25i}, out[2])
	})
	t.Run("lu without pivots", func(t *testing.T) { // (2+2i)/i is 2-2i
		out := tensor.Call("linalg_lu", a, false)
		near(t, []complex128{1, 0, 2 - 2i, 1}, out[1])
		near(t, []complex128{1i, 2, 0, -3 + 4i}, out[2])
	})
	t.Run("qr", func(t *testing.T) { // a column as long as 3, and R with real numbers on its diagonal
		b := tensor.FromSlice([]complex128{1i, 0, 2, 3, 2i, 1}, 3, 2)
		for _, mode := range []string{"reduced", "complete"} {
			out := tensor.Call("linalg_qr", b, mode)
			require.InDelta(t, 3, cmplx.Abs(complexOf(out[1])[0]), 1e-13)
			require.Zero(t, complexOf(out[1])[2])
			near(t, complexOf(b), tensor.Call("matmul", out[0], out[1])[0])
			n := out[0].Shape()[1]
			near(t, unit(n), tensor.Call("matmul", tensor.Call("mH", out[0])[0], out[0])[0])
		}
	})
}

// unit is the identity of n rows.
func unit(n int) []complex128 {
	m := make([]complex128, n*n)
	for i := range n {
		m[i*n+i] = 1
	}
	return m
}
