package sampling

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/text/tokenizer"
)

// TestLlamaSamplers: every sampler, and several together, leave the tokens that llama.cpp's leave, with its
// probabilities.
func TestLlamaSamplers(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small)
	tokens, err := tokenizer.FromGGUF(f)
	require.NoError(t, err)
	var cases []struct {
		Sampling Options
		Seen     []int
		Scores   []float32
		Left     map[int]float64
	}
	text, err := os.ReadFile("testdata/samplers.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &cases))
	require.NotEmpty(t, cases)
	for i, c := range cases {
		c.Sampling.Seed = 1
		require.NoError(t, c.Sampling.Check(len(c.Scores)))
		s := must(New(c.Sampling, tokens))
		var token int
		if s.selects() || s.Mirostat > 0 {
			token = s.Choose(Logits{Scores: slices.Clone(c.Scores)}, c.Seen)
		} else { // no candidates: a list of all
			l := Logits{Scores: slices.Clone(c.Scores)}
			s.penalise(l, c.Seen)
			s.dry(l, c.Seen)
			s.collect(l)
			s.heat()
			token = s.pick().token
		}
		require.Contains(t, c.Left, token)
		require.Len(t, s.list, len(c.Left), "case %d: %+v", i, c.Sampling)
		for _, have := range s.list {
			require.InDelta(t, c.Left[have.token], have.p, 2e-6, "case %d: %+v, token %d", i, c.Sampling, have.token)
		}
		if s.Mirostat > 0 {
			at := slices.IndexFunc(s.list, func(c candidate) bool { return c.token == token })
			require.InDelta(t, 2*s.MirostatTau-s.MirostatEta*(-math.Log2(s.list[at].p)-s.MirostatTau), s.surprise, 1e-9)
		}
	}
}

// TestDRYLast: the penalty of a repetition counts the tokens that are looked at, worked out by hand.
func TestDRYLast(t *testing.T) {
	for last, want := range map[int]float32{5: 0, 6: 1, 7: 1.75, -1: 1.75} { // of 4 behind "3", "2 3" and "1 2 3"
		s := Sampler{Options: Options{DRY: DRY{DRYMultiplier: 1, DRYLast: last}}} // no breakers
		l := Logits{Scores: make([]float32, 8)}
		s.dry(l, []int{1, 2, 3, 4, 1, 2, 3})
		require.Equal(t, []float32{0, 0, 0, 0, -want, 0, 0, 0}, l.Scores, "%d", last)
	}
}
