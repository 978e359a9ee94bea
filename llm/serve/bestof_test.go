package serve

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBestOfAll: probabilities are computed where some answers are left out, and not where all of them come back.
func TestBestOfAll(t *testing.T) {
	for tries, logprobs := range map[int]int{2: 0, 3: 1} {
		j := &job{q: new(sampling), each: 2, tries: 2}
		require.NoError(t, j.bestOf(tries))
		require.Equal(t, []int{tries, logprobs}, []int{j.tries, j.o.Logprobs})
	}
}
