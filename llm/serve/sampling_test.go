package serve

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/grammar"
	"github.com/go-acap/acap/llm/llmtest"
)

// TestOptionsOfRequests: each parameter of a request sets the option of its name, and nothing else.
func TestOptionsOfRequests(t *testing.T) {
	path := llmtest.File(t, llmtest.Small)
	m, err := llm.Load(path, llm.LoadOptions{Context: 64})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	s := New(m, Options{MaxTokens: 9})
	read := func(body string) llm.Options {
		var q sampling
		require.NoError(t, json.Unmarshal([]byte(body), &q), body)
		o, err := s.answerOptions(&q)
		require.NoError(t, err, body)
		return o
	}
	plain := m.Defaults()
	plain.MaxTokens, plain.Shorter = 9, true
	plain.Temperature = 1 // of OpenAI's interface
	require.Equal(t, plain, read(`{}`))
	for body, set := range map[string]func(o *llm.Options){
		`{"max_tokens":3}`:                            func(o *llm.Options) { o.MaxTokens, o.Shorter = 3, false },
		`{"ignore_eos":true}`:                         func(o *llm.Options) { o.IgnoreEnd = true },
		`{"min_tokens":2}`:                            func(o *llm.Options) { o.LeastTokens = 2 },
		`{"stop":"a"}`:                                func(o *llm.Options) { o.Stop = []string{"a"} },
		`{"stop":["a","b"]}`:                          func(o *llm.Options) { o.Stop = []string{"a", "b"} },
		`{"stop":null}`:                               func(*llm.Options) {},
		`{"temperature":0}`:                           func(o *llm.Options) { o.Temperature = 0 },
		`{"temperature":0.25}`:                        func(o *llm.Options) { o.Temperature = 0.25 },
		`{"dynatemp_range":0.5}`:                      func(o *llm.Options) { o.TemperatureRange = 0.5 },
		`{"dynatemp_exponent":2}`:                     func(o *llm.Options) { o.TemperatureExponent = 2 },
		`{"top_k":7}`:                                 func(o *llm.Options) { o.TopK = 7 },
		`{"top_p":0.5}`:                               func(o *llm.Options) { o.TopP = 0.5 },
		`{"top_p":0}`:                                 func(o *llm.Options) { o.TopP = math.SmallestNonzeroFloat64 },
		`{"min_p":0.5}`:                               func(o *llm.Options) { o.MinP = 0.5 },
		`{"typical_p":0.5}`:                           func(o *llm.Options) { o.Typical = 0.5 },
		`{"typical_p":0}`:                             func(o *llm.Options) { o.Typical = math.SmallestNonzeroFloat64 },
		`{"top_n_sigma":2}`:                           func(o *llm.Options) { o.TopNSigma = 2 },
		`{"top_n_sigma":-1}`:                          func(o *llm.Options) { o.TopNSigma = 0 },
		`{"xtc_probability":0.5}`:                     func(o *llm.Options) { o.XTCProbability = 0.5 },
		`{"xtc_threshold":0.25}`:                      func(o *llm.Options) { o.XTCThreshold = 0.25 },
		`{"mirostat":2}`:                              func(o *llm.Options) { o.Mirostat = 2 },
		`{"mirostat_tau":3}`:                          func(o *llm.Options) { o.MirostatTau = 3 },
		`{"mirostat_eta":0.5}`:                        func(o *llm.Options) { o.MirostatEta = 0.5 },
		`{"repeat_penalty":2}`:                        func(o *llm.Options) { o.RepeatPenalty = 2 },
		`{"repeat_last_n":-1}`:                        func(o *llm.Options) { o.RepeatLast = -1 },
		`{"frequency_penalty":-2}`:                    func(o *llm.Options) { o.FrequencyPenalty = -2 },
		`{"presence_penalty":2}`:                      func(o *llm.Options) { o.PresencePenalty = 2 },
		`{"dry_multiplier":2}`:                        func(o *llm.Options) { o.DRYMultiplier = 2 },
		`{"dry_base":2}`:                              func(o *llm.Options) { o.DRYBase = 2 },
		`{"dry_allowed_length":4}`:                    func(o *llm.Options) { o.DRYAllowed = 4 },
		`{"dry_penalty_last_n":4}`:                    func(o *llm.Options) { o.DRYLast = 4 },
		`{"no_repeat_ngram_size":4}`:                  func(o *llm.Options) { o.NoRepeat = 4 },
		`{"dry_sequence_breakers":["x"]}`:             func(o *llm.Options) { o.DRYBreakers = []string{"x"} },
		`{"seed":0}`:                                  func(o *llm.Options) { o.Seed = 1 },
		`{"logit_bias":{"0":-1,"3":2}}`:               func(o *llm.Options) { o.Bias = map[int]float64{0: -1, 3: 2} },
		`{"dry_multiplier":2,"dry_penalty_last_n":0}`: func(o *llm.Options) { o.DRYMultiplier, o.DRYLast = 0, 0 },
		`{"repeat_penalty":2,"frequency_penalty":1,"presence_penalty":1,"repeat_last_n":0}`: func(o *llm.Options) {
			o.RepeatPenalty, o.FrequencyPenalty, o.PresencePenalty, o.RepeatLast = 0, 0, 0, 0
		},
		`{"grammar":"root ::= !<s>"}`: func(o *llm.Options) {
			var err error
			o.Grammar, err = grammar.ParseTokens("root ::= !<s>", m.Tokenizer())
			require.NoError(t, err)
		},
	} {
		want := plain
		set(&want)
		require.Equal(t, want, read(body), body)
	}
}
