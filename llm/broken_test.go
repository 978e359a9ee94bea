package llm

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/tensor/safetensors"
)

// TestBrokenScores: a row of the head that is not a number, or infinite, ends an answer with an error, whichever group
// of tokens the row is of.
func TestBrokenScores(t *testing.T) {
	for _, wrong := range []float64{math.NaN(), math.Inf(1)} {
		for _, token := range []int{7, 130, 319} {
			dir := llmtest.Folder(t, llmtest.Small)
			name := filepath.Join(dir, "model.safetensors")
			f, err := safetensors.Open(name)
			require.NoError(t, err)
			all, err := f.All()
			require.NoError(t, err)
			var list []safetensors.Tensor
			for name, data := range all {
				if name == "lm_head.weight" {
					for i := range llmtest.Small.Width {
						data.SetFloat64(token*llmtest.Small.Width+i, wrong)
					}
				}
				list = append(list, safetensors.Tensor{Name: name, Data: data})
			}
			require.NoError(t, safetensors.WriteFile(name, list, nil))
			require.ErrorContains(t, answered(t, dir, Options{MaxTokens: 2}), "scores are infinite or not numbers", "%v in row %d", wrong, token)
		}
	}
}

// TestNothingLeft: where options forbid each token there is an error, and no token.
func TestNothingLeft(t *testing.T) {
	dir := llmtest.Folder(t, llmtest.Small)
	never := map[int]float64{}
	for i := range llmtest.Small.Vocabulary {
		never[i] = math.Inf(-1)
	}
	for _, s := range []Sampling{{}, {Temperature: 1}, {Temperature: 1, TopK: 3}, {Temperature: 1, Mirostat: 2}} {
		s.Bias = never
		require.ErrorContains(t, answered(t, dir, Options{Sampling: s, MaxTokens: 2}), "no token may come")
	}
	delete(never, 9)
	require.NoError(t, answered(t, dir, Options{Sampling: Sampling{Bias: never}, MaxTokens: 2}))
}

// answered returns the error of an answer.
func answered(t *testing.T, path string, o Options) error {
	m, err := Load(path, LoadOptions{Context: 64})
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	for _, err := range m.GenerateTokens(context.Background(), []int{3, 1, 4}, o) {
		if err != nil {
			return err
		}
	}
	return nil
}
