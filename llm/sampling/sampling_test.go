package sampling

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/race"
)

// chances are the tokens that a sampling leaves, with their probabilities, as the parts are defined: each sorts all
// tokens.
func chances(s Options, scores []float32) map[int]float64 {
	type token struct {
		id    int
		score float64
	}
	var list []token
	for i, v := range scores {
		if !math.IsInf(float64(v), -1) {
			list = append(list, token{i, float64(v)})
		}
	}
	slices.SortStableFunc(list, func(a, b token) int { return cmp.Compare(b.score, a.score) })
	probabilities := func() []float64 {
		out, sum := make([]float64, len(list)), 0.0
		for i, t := range list {
			out[i] = math.Exp(t.score - list[0].score)
			sum += out[i]
		}
		for i := range out {
			out[i] /= sum
		}
		return out
	}
	if s.TopK > 0 {
		list = list[:min(s.TopK, len(list))]
	}
	if s.TopP > 0 && s.TopP < 1 {
		sum := 0.0
		for i, p := range probabilities() {
			if sum += p; sum >= s.TopP {
				list = list[:i+1]
				break
			}
		}
	}
	if s.MinP > 0 {
		least := list[0].score + math.Log(s.MinP)
		list = slices.DeleteFunc(list, func(t token) bool { return t.score < least })
	}
	for i := range list {
		list[i].score /= s.Temperature
	}
	out := map[int]float64{}
	for i, p := range probabilities() {
		out[list[i].id] = p
	}
	return out
}

// TestSampling: the tokens that are left to chance are the ones that the definitions leave, whichever parts are asked
// for.
func TestSampling(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 400 {
		scores := make([]float32, 1+r.IntN(300))
		wide := math.Exp(r.NormFloat64() * 2)
		for i := range scores {
			scores[i] = float32(r.NormFloat64() * wide)
			if r.IntN(8) == 0 {
				scores[i] = float32(math.Inf(-1))
			} else if r.IntN(8) == 0 && i > 0 {
				scores[i] = scores[i-1] // equals
			}
		}
		scores[r.IntN(len(scores))] = float32(wide)
		s := Options{Temperature: math.Exp(r.NormFloat64()), Seed: 1}
		if r.IntN(2) == 0 {
			s.TopK = 1 + r.IntN(50)
		}
		if r.IntN(2) == 0 {
			s.TopP = r.Float64()
		}
		if r.IntN(2) == 0 {
			s.MinP = r.Float64() / 4
		}
		want := chances(s, scores)
		got := must(New(s, nil))
		token := got.Choose(peaked(r, slices.Clone(scores)), nil)
		require.Contains(t, want, token)
		if !got.selects() {
			continue // nothing is left out
		}
		require.Len(t, got.list, len(want), "round %d, %+v", round, s)
		for _, c := range got.list {
			require.InDelta(t, want[c.token], c.p, 1e-5, "round %d, %+v, token %d", round, s, c.token)
		}
	}
}

// TestSamplingAllocates: choosing among 32,000 tokens allocates nothing.
func TestSamplingAllocates(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	r := rand.New(rand.NewPCG(1, 2))
	scores := make([]float32, 32000)
	for i := range scores {
		scores[i] = float32(r.NormFloat64())
	}
	l, seen := peaked(r, scores), make([]int, 500)
	for _, o := range []Options{{}, {Temperature: 0.8, TopK: 40, TopP: 0.95, MinP: 0.05, RepeatPenalty: 1.1}, {Temperature: 1}, {Temperature: 1, TopP: 0.9}, {Temperature: 1, MinP: 0.1}} {
		s := must(New(o, nil))
		require.Zero(t, testing.AllocsPerRun(5, func() { s.Choose(l, seen) }), "%+v", o)
	}
}

// BenchmarkSampling chooses among 32,000 tokens.
func BenchmarkSampling(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	scores := make([]float32, 32000)
	for i := range scores {
		scores[i] = float32(r.NormFloat64())
	}
	for name, o := range map[string]Options{"greedy": {}, "default": {Temperature: 0.8, TopK: 40, TopP: 0.95, MinP: 0.05},
		"temperature": {Temperature: 1}, "nucleus": {Temperature: 1, TopP: 0.9}, "minp": {Temperature: 1, MinP: 0.1}} {
		s := must(New(o, nil))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s.Choose(Logits{Scores: scores}, nil)
			}
		})
	}
}

// must returns a value whose making does not fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
