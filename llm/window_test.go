package llm_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
)

// TestWindowsGiveBack: a sequence whose tokens see a window in all layers takes no more pages than the window and the
// tokens of a pass, however long it is: a cache of 4 pages is enough for 300 tokens behind a window of 48, and for a
// prompt of 200. Each token is the token behind a prompt of all tokens before it. Where some layers see all tokens,
// these need all pages.
func TestWindowsGiveBack(t *testing.T) {
	dir := llmtest.Folder(t, llmtest.Small)
	configure := func(more map[string]any) {
		path := filepath.Join(dir, "config.json")
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var config map[string]any
		require.NoError(t, json.Unmarshal(data, &config))
		for k, v := range more {
			config[k] = v
		}
		data, err = json.Marshal(config)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, data, 0o600))
	}
	load := func(cache int) *llm.Model {
		m, err := llm.Load(dir, llm.LoadOptions{Context: 512, CacheTokens: cache})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, m.Close()) })
		return m
	}
	generate := func(m *llm.Model, prompt []int, count int) ([]int, error) {
		tokens := slices.Clone(prompt)
		for p, err := range m.GenerateTokens(context.Background(), prompt, llm.Options{MaxTokens: count, IgnoreEnd: true, Sampling: llm.Sampling{RepeatPenalty: 1.3}}) {
			if err != nil {
				return nil, err
			}
			tokens = append(tokens, p.Token)
		}
		return tokens, nil
	}
	prompt := []int{1, 270, 280, 290, 300}
	configure(map[string]any{"model_type": "mistral", "sliding_window": 48})
	m := load(4 * 32)
	tokens, err := generate(m, prompt, 300)
	require.NoError(t, err)
	require.Len(t, tokens, 305)
	require.Zero(t, m.Stats().Preempted)
	whole := load(512)
	for _, n := range []int{60, 200, 301} {
		next, err := generate(whole, tokens[:n], 1)
		require.NoError(t, err)
		require.Equal(t, tokens[:n+1], next)
	}
	again, err := generate(m, tokens[:90], 60) // begins with pages, some of which were taken since
	require.NoError(t, err)
	require.Equal(t, tokens[:150], again)
	again, err = generate(m, tokens[:200], 3)
	require.NoError(t, err)
	require.Equal(t, tokens[:203], again)
	configure(map[string]any{"model_type": "smollm3", "use_sliding_window": true, "layer_types": []string{"sliding_attention", "full_attention"}})
	_, err = generate(load(4*32), prompt, 300)
	require.ErrorContains(t, err, "does not fit")
}
