package llm

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/llm/sampling"
	"github.com/go-acap/acap/llm/schedule"
)

// TestPeaks: a pass gives the highest score of each group of tokens, for one row and for several, where the vocabulary
// is no multiple of a group.
func TestPeaks(t *testing.T) {
	sizes := llmtest.Small
	sizes.Vocabulary = 450
	path := llmtest.File(t, sizes)
	m, err := Load(path, LoadOptions{Context: 256})
	require.NoError(t, err)
	defer m.Close()
	e := &engine{m: m, Batch: schedule.New(256, 1, m.network.Spans...)}
	s := &cache.Sequence{Tokens: []int{3, 1, 4, 1, 5}, Limit: 256}
	require.True(t, s.Room(e.Pools, len(s.Tokens)))
	for _, all := range []bool{false, true} {
		l, err := e.compute(m.network, &e.memory, []schedule.Piece{{Sequence: s, From: 0, Count: len(s.Tokens)}}, all)
		require.NoError(t, err)
		rows := len(l.Scores) / m.Vocabulary
		require.Equal(t, all, rows > 1)
		for i := range rows {
			row := l.Row(i, m.Vocabulary)
			require.Len(t, row.Peaks, 7)
			for g, peak := range row.Peaks {
				require.Equal(t, slices.Max(row.Scores[g*sampling.Group:(g+1)*sampling.Group]), peak)
			}
		}
	}
}
