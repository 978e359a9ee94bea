package lazy

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// TestCopyCorner: of two arrays of one rank the elements whose indices both have, and that are asked for, are copied,
// and no others.
func TestCopyCorner(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		rank := r.IntN(4)
		from, to, dims := make([]int, rank), make([]int, rank), make([]int, rank)
		for i := range dims {
			dims[i] = r.IntN(4)
			from[i], to[i] = dims[i]+r.IntN(3)*r.IntN(2), dims[i]+r.IntN(3)*r.IntN(2)
		}
		d := []dtype.DType{dtype.F64, dtype.I8, dtype.F16}[r.IntN(3)]
		a, b := buf.New(d, from), buf.New(d, to)
		for i := range a.Len() {
			a.SetFloat64(i, float64(i+1))
		}
		copyCorner(b, a, dims)
		require.NoError(t, shape.Points(to, func(at []int) error {
			want, inside, k, own := 0.0, true, 0, 0
			for i, n := range at {
				inside = inside && n < dims[i]
				k, own = k*from[i]+n, own*to[i]+n
			}
			if inside {
				want = float64(k + 1)
			}
			require.Equal(t, want, b.Float64(own), "%v to %v: %v of %v", from, to, at, dims)
			return nil
		}))
	}
}
