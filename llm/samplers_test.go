package llm

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

func readJSON(t *testing.T, path string, to any) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, to))
}

// TestLlamaSamplers: every sampler, and several together, leave the tokens that llama.cpp's leave, with its probabilities.
func TestLlamaSamplers(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small)
	tokens, err := tokenizer.FromGGUF(f)
	require.NoError(t, err)
	var cases []struct {
		Sampling Sampling
		Seen     []int
		Scores   []float32
		Left     map[int]float64
	}
	readJSON(t, "testdata/samplers.json", &cases)
	require.NotEmpty(t, cases)
	for i, c := range cases {
		c.Sampling.Seed = 1
		require.NoError(t, c.Sampling.check(len(c.Scores)))
		s := newSampler(c.Sampling)
		s.breakers = breakersOf(c.Sampling.DRY, tokens)
		var token int
		if s.selects() || s.Mirostat > 0 {
			token = s.choose(logits{scores: slices.Clone(c.Scores)}, c.Seen)
		} else { // no candidates: a list of all
			l := logits{scores: slices.Clone(c.Scores)}
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

// TestGenerationConfig: keys of generation_config.json change scores as transformers does.
func TestGenerationConfig(t *testing.T) {
	var recorded struct {
		Keys  []string
		Cases []struct {
			Config config
			Seen   []int
			Most   int
			Scores []float32
			Want   []*float32
		}
	}
	readJSON(t, "testdata/generation.json", &recorded)
	require.NotEmpty(t, recorded.Cases)
	ends := []int{2, 3}
	for i, c := range recorded.Cases {
		o, err := generationOptions(c.Config, len(c.Scores), ends)
		require.NoError(t, err)
		s, l := newSampler(o.Sampling), logits{scores: c.Scores}
		s.bias(l, c.Seen, 2, c.Most, ends)
		s.penalise(l, c.Seen)
		for token, want := range c.Want {
			if want == nil {
				require.Equal(t, never, l.scores[token], "case %d: %s, token %d", i, c.Config, token)
			} else {
				require.InDelta(t, *want, l.scores[token], 1e-4, "case %d: %s, token %d", i, c.Config, token)
			}
		}
	}
	g := generation{}
	followed := g.followed()
	for _, key := range recorded.Keys { // none is forgotten
		_, follows := followed[key]
		_, refused := refusedKeys[key]
		places := 0
		for _, in := range []bool{follows || key == "eos_token_id", refused, slices.Contains(idleKeys, key)} {
			if in {
				places++
			}
		}
		require.Equal(t, 1, places, key)
	}
}

// TestRefusedGeneration: what is not done is refused by its key, and so are values of other types and tokens that there are not.
func TestRefusedGeneration(t *testing.T) {
	for text, want := range map[string]string{
		`{"num_beams": 4}`:                     "generation_config.json: num_beams is 4, which is not done; the file must have no such key, or 1",
		`{"penalty_alpha": 0.6}`:               "penalty_alpha is 0.6, which is not done",
		`{"watermarking_config": {"bias": 2}}`: "watermarking_config is {\"bias\": 2}, which is not done; the file must have no such key",
		`{"token_healing": true}`:              "token_healing is true",
		`{"guidance_scale": 1.5}`:              "guidance_scale is 1.5",
		`{"forced_bos_token_id": 0}`:           "forced_bos_token_id is 0",
		`{"no_repeat_ngram_size": "3"}`:        `no_repeat_ngram_size is "3", a string; a whole number is wanted`,
		`{"no_repeat_ngram_size": -1}`:         "NoRepeat is -1, want at least 0",
		`{"suppress_tokens": 7}`:               "suppress_tokens is 7, a number; a list of tokens is wanted",
		`{"suppress_tokens": [12]}`:            "has the token 12; there are 12",
		`{"begin_suppress_tokens": [-1]}`:      "NotFirst has the token -1; there are 12",
		`{"bad_words_ids": [[]]}`:              "sequence 0 of Sequences has no token",
		`{"bad_words_ids": [3]}`:               "bad_words_ids is [3], a list; a list of lists of tokens is wanted",
		`{"sequence_bias": [[3, 1.5]]}`:        "pair 0 of sequence_bias is",
		`{"stop_strings": [""]}`:               "option Stop has an empty text",
		`{"max_new_tokens": -3}`:               "option MaxTokens is -3",
	} {
		var c config
		require.NoError(t, json.Unmarshal([]byte(text), &c))
		_, err := generationOptions(c, 12, nil)
		require.ErrorContains(t, err, want, text)
	}
	var c config
	require.NoError(t, json.Unmarshal([]byte(`{"num_beams": 1.0, "penalty_alpha": null, "early_stopping": true, "chat_format": "chatml", "guidance_scale": 1,
		"max_new_tokens": 9, "stop_strings": "end", "suppress_tokens": null, "do_sample": false, "temperature": 0.5, "cache_implementation": "hybrid"}`), &c))
	o, err := generationOptions(c, 12, nil)
	require.NoError(t, err)
	require.Equal(t, Options{MaxTokens: 9, Stop: []string{"end"}, Sampling: Sampling{RepeatLast: -1}}, o)
}

// TestDRYLast: the penalty of a repetition counts the tokens that are looked at, worked out by hand.
func TestDRYLast(t *testing.T) {
	for last, want := range map[int]float32{5: 0, 6: 1, 7: 1.75, -1: 1.75} { // of 4 behind "3", "2 3" and "1 2 3"
		s := newSampler(Sampling{DRY: DRY{DRYMultiplier: 1, DRYLast: last}})
		l := logits{scores: make([]float32, 8)}
		s.dry(l, []int{1, 2, 3, 4, 1, 2, 3})
		require.Equal(t, []float32{0, 0, 0, 0, -want, 0, 0, 0}, l.scores, "%d", last)
	}
}
