package llm_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/grammar"
	"github.com/go-acap/acap/llm/llmtest"
)

// TestWrongOptions: a number that says nothing is refused by its name, in options and in what a folder recommends.
func TestWrongOptions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	m := small(t, llm.LoadOptions{Context: 64})
	for want, o := range map[string]llm.Options{
		"Temperature is -1, want at least 0":            {Sampling: llm.Sampling{Temperature: -1}},
		"Temperature is NaN":                            {Sampling: llm.Sampling{Temperature: nan}},
		"TopP is 7, want 0 to 1":                        {Sampling: llm.Sampling{TopP: 7}},
		"MinP is -0.5":                                  {Sampling: llm.Sampling{MinP: -0.5}},
		"Typical is 2":                                  {Sampling: llm.Sampling{Typical: 2}},
		"TopNSigma is +Inf":                             {Sampling: llm.Sampling{TopNSigma: inf}},
		"XTCProbability is 3":                           {Sampling: llm.Sampling{XTCProbability: 3}},
		"XTCThreshold is NaN":                           {Sampling: llm.Sampling{XTCThreshold: nan}},
		"RepeatPenalty is -3":                           {Sampling: llm.Sampling{RepeatPenalty: -3}},
		"RepeatLast is -2":                              {Sampling: llm.Sampling{RepeatLast: -2}},
		"FrequencyPenalty is +Inf, want a number":       {Sampling: llm.Sampling{FrequencyPenalty: inf}},
		"PresencePenalty is NaN":                        {Sampling: llm.Sampling{PresencePenalty: nan}},
		"option Bias of token 3 is NaN":                 {Sampling: llm.Sampling{Bias: map[int]float64{3: nan}}},
		"option MaxTokens is -3, want at least 1, or 0": {MaxTokens: -3},
		"option Logprobs is -1":                         {Logprobs: -1},
		"option Stop has an empty text":                 {Stop: []string{"a", ""}},
		"option Grammar has no rules":                   {Grammar: new(grammar.Grammar)},
	} {
		_, err := llm.Complete(m.Generate(context.Background(), "ab", o))
		require.ErrorContains(t, err, "llm: "+want)
	}
	right := llm.Options{MaxTokens: 1, Sampling: llm.Sampling{TopK: -1, FrequencyPenalty: -2, RepeatLast: -1, Bias: map[int]float64{3: math.Inf(-1)}}}
	require.NotEmpty(t, tokensOf(t, m, "ab", right))

	dir := llmtest.Folder(t, llmtest.Small)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "generation_config.json"), []byte(`{"do_sample": true, "top_p": 7}`), 0o600))
	_, err := llm.Load(dir, llm.LoadOptions{})
	require.ErrorContains(t, err, "generation_config.json: TopP is 7")

	for want, o := range map[string]llm.LoadOptions{"LoadOptions.Sequences is -1": {Sequences: -1}, "LoadOptions.DraftTokens is -2": {DraftTokens: -2}} {
		path := llmtest.File(t, llmtest.Small)
		_, err := llm.Load(path, o)
		require.ErrorContains(t, err, want)
	}
}

// TestSpaceInFront: a word behind a prompt keeps the space in front of it, so that prompt and answer are one text.
func TestSpaceInFront(t *testing.T) {
	m := small(t, llm.LoadOptions{Context: 64})
	word, ok := m.Tokenizer().ID("▁ax")
	require.True(t, ok)
	o := llm.Options{MaxTokens: 2, Sampling: llm.Sampling{Bias: map[int]float64{word: 1000}}}
	a, err := llm.Complete(m.Generate(context.Background(), "cd", o))
	require.NoError(t, err)
	require.Equal(t, " ax ax", a.Text)
}
