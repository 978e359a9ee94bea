package portable

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlaceOf compares with counting the elements that come before.
func TestPlaceOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		seq := make([]float64, n)
		for i := range seq {
			seq[i] = float64(r.IntN(12))
		}
		slices.Sort(seq)
		for _, x := range []float64{-1, 0, 3, 3.5, 11, 12, math.Inf(1), math.Inf(-1), math.NaN()} {
			left, right := 0, 0
			for _, y := range seq {
				if !(y >= x) { // NaN is behind everything
					left++
				}
				if !(y > x) {
					right++
				}
			}
			require.Equal(t, left, placeOf(seq, x, false), "%v in %v", x, seq)
			require.Equal(t, right, placeOf(seq, x, true), "%v in %v", x, seq)
		}
	}
}
