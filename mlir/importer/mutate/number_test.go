package mutate

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNumber: most numbers are small, all small ones come, and the others are those of the table, all of which come.
func TestNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	drawn := map[int64]int{}
	for range 8000 {
		drawn[number(r)]++
	}
	small := 0
	for n, times := range drawn {
		if n >= -3 && n <= 8 {
			small += times
		} else {
			require.Contains(t, numbers, n)
		}
	}
	for n := int64(-3); n <= 8; n++ {
		require.Greater(t, drawn[n], 200, n)
	}
	for _, n := range numbers {
		require.Positive(t, drawn[n], n)
	}
	require.Greater(t, small, 4000)
}
