package mapping_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/mapping"
)

// TestMerges sorts blocks by the network.
func TestMerges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	const size = 3
	for n := range 40 {
		data := make([]int, n*size)
		for i := range data {
			data[i] = r.IntN(50)
		}
		for b := range n {
			slices.Sort(data[b*size:][:size])
		}
		for _, round := range mapping.Merges(n) {
			seen := make(map[int]bool)
			for _, pair := range round {
				require.False(t, seen[pair[0]] || seen[pair[1]], "%d blocks: %v", n, round)
				seen[pair[0]], seen[pair[1]] = true, true
				a, b := data[pair[0]*size:][:size], data[pair[1]*size:][:size]
				all := slices.Concat(a, b)
				slices.Sort(all)
				copy(a, all)
				copy(b, all[size:])
			}
		}
		require.True(t, slices.IsSorted(data), "%d blocks", n)
	}
}
