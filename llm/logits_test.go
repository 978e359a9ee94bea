package llm

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
)

// peaked are scores with bounds of their groups: the highest scores, or more.
func peaked(r *rand.Rand, scores []float32) logits {
	l := logits{scores: scores}
	for at := range len(scores) / group {
		peak := slices.Max(scores[at*group : (at+1)*group])
		if r.IntN(3) == 0 {
			peak += 3 * r.Float32()
		}
		l.peaks = append(l.peaks, peak)
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
			l, scores = l.first(tokens), scores[:tokens]
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
		require.Equal(t, best, l.best())
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

// TestPeaks: a pass gives the highest score of each group of tokens, for one row and for several, where the vocabulary
// is no multiple of a group.
func TestPeaks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.gguf")
	sizes := llmtest.Small
	sizes.Vocabulary = 450
	require.NoError(t, llmtest.WriteGGUF(path, sizes))
	m, err := Load(path, LoadOptions{Context: 256})
	require.NoError(t, err)
	defer m.Close()
	e := &engine{m: m, batch: newBatch(256, 1, m.seen...)}
	s := &sequence{tokens: []int{3, 1, 4, 1, 5}, limit: 256}
	require.True(t, s.room(e.pools, len(s.tokens)))
	for _, all := range []bool{false, true} {
		l, err := e.compute(m.network, &e.memory, []piece{{s, 0, len(s.tokens)}}, all)
		require.NoError(t, err)
		rows := len(l.scores) / m.Vocabulary
		require.Equal(t, all, rows > 1)
		for i := range rows {
			row := l.row(i, m.Vocabulary)
			require.Len(t, row.peaks, 7)
			for g, peak := range row.peaks {
				require.Equal(t, slices.Max(row.scores[g*group:(g+1)*group]), peak)
			}
		}
	}
}
