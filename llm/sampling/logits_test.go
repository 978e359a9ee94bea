package sampling

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// peaked are scores with bounds of their groups: the highest scores, or more.
func peaked(r *rand.Rand, scores []float32) Logits {
	l := Logits{Scores: scores}
	for at := range len(scores) / Group {
		peak := slices.Max(scores[at*Group : (at+1)*Group])
		if r.IntN(3) == 0 {
			peak += 3 * r.Float32()
		}
		l.Peaks = append(l.Peaks, peak)
	}
	return l
}

// TestLogits: with bounds of groups the same tokens are found as by looking at each score, also after scores were
// raised.
func TestLogits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		scores := make([]float32, 1+r.IntN(500))
		for i := range scores {
			scores[i] = float32(r.NormFloat64())
		}
		nan := float32(math.NaN())
		if r.IntN(3) == 0 {
			scores[r.IntN(len(scores))] = nan
		}
		l := peaked(r, scores)
		if tokens := 1 + r.IntN(len(scores)); r.IntN(3) == 0 {
			l, scores = l.First(tokens), scores[:tokens]
		}
		for range r.IntN(3) {
			l.set(r.IntN(len(scores)), 3+r.Float32())
		}
		best := 0
		for i, v := range scores {
			if v > scores[best] || scores[best] != scores[best] {
				best = i
			}
		}
		require.Equal(t, best, l.Best())
		var want, got []int
		least := r.Float32()
		for i, v := range scores {
			if v > least {
				want = append(want, i)
			}
		}
		for i := l.above(0, least); i < len(scores); i = l.above(i+1, least) {
			got = append(got, i)
		}
		require.Equal(t, want, got)
	}
}
