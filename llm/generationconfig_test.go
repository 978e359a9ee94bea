package llm

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/config"
	"github.com/go-acap/acap/llm/sampling"
)

func readJSON(t *testing.T, path string, to any) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, to))
}

// TestGenerationConfig: keys of generation_config.json change scores as transformers does.
func TestGenerationConfig(t *testing.T) {
	var recorded struct {
		Keys  []string
		Cases []struct {
			Config config.Object
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
		s, err := sampling.New(o.Sampling, nil)
		require.NoError(t, err)
		l := sampling.Logits{Scores: c.Scores}
		s.Adjust(l, c.Seen, 2, c.Most, ends)
		s.Choose(l, c.Seen)
		for token, want := range c.Want {
			if want == nil {
				require.Equal(t, float32(math.Inf(-1)), l.Scores[token], "case %d: %s, token %d", i, c.Config, token)
			} else {
				require.InDelta(t, *want, l.Scores[token], 1e-4, "case %d: %s, token %d", i, c.Config, token)
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

// TestRefusedGeneration: an unsupported setting, a value of another type and an unknown token are refused by the name
// of the key.
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
		var c config.Object
		require.NoError(t, json.Unmarshal([]byte(text), &c))
		_, err := generationOptions(c, 12, nil)
		require.ErrorContains(t, err, want, text)
	}
	var c config.Object
	require.NoError(t, json.Unmarshal([]byte(`{"num_beams": 1.0, "penalty_alpha": null, "early_stopping": true, "chat_format": "chatml", "guidance_scale": 1,
		"max_new_tokens": 9, "stop_strings": "end", "suppress_tokens": null, "do_sample": false, "temperature": 0.5, "cache_implementation": "hybrid"}`), &c))
	o, err := generationOptions(c, 12, nil)
	require.NoError(t, err)
	require.Equal(t, Options{MaxTokens: 9, Stop: []string{"end"}, Sampling: Sampling{RepeatLast: -1}}, o)
}
