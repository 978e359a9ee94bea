package llm_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
)

// TestCacheTypes: keys and values of 16 bits take half of the memory, and attention reads them as they are, where they are. Probabilities move by
// what rounding makes of them: the divergence of Kullback and Leibler goes with its square, so that f16, which has 3 bits more than bf16, has a 64th of
// it, and it is not 0.
func TestCacheTypes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "small.gguf")
	require.NoError(t, llmtest.WriteGGUF(path, llmtest.Small))
	o, err := llm.Inspect(path)
	require.NoError(t, err)
	options := llm.LoadOptions{Context: 256}
	wide, err := o.Footprint(options)
	require.NoError(t, err)
	exact := probabilities(t, small(t, options))
	most := map[dtype.DType]float64{dtype.F16: 1e-5, dtype.BF16: 64e-5}
	for _, d := range longtest.Some(1, dtype.F16, dtype.BF16) {
		options.CacheType = d
		f, err := o.Footprint(options)
		require.NoError(t, err)
		require.Equal(t, wide.Cache/2, f.Cache)
		m := small(t, options)
		for i, row := range probabilities(t, m) {
			divergence := 0.0
			for k, p := range row {
				divergence += math.Exp(exact[i][k]) * (exact[i][k] - p)
			}
			t.Logf("%v: %.2g", d, divergence)
			require.Less(t, divergence, most[d], d)
			require.NotEqual(t, exact[i], row, "numbers were rounded")
		}
		if !longtest.On() {
			continue
		}
		e, err := m.Explain(llm.Pass{Sequences: 1, Tokens: 1, Seen: 256})
		require.NoError(t, err)
		for _, k := range e.Kernels {
			require.NotContains(t, k.Calls, "index_select", "a copy of keys or values")
		}
	}
	_, err = llm.Load(path, llm.LoadOptions{CacheType: dtype.I8})
	require.ErrorContains(t, err, "kept as f32, f16 or bf16")
}

// probabilities are the logarithms of those of all tokens behind a prompt, and behind a token more.
func probabilities(t *testing.T, m *llm.Model) (list [][]float64) {
	prompt := make([]int, 70)
	for i := range prompt {
		prompt[i] = 259 + i%40
	}
	for p, err := range m.GenerateTokens(context.Background(), prompt, llm.Options{MaxTokens: 2, Logprobs: 1 + m.Vocabulary, IgnoreEnd: true}) {
		require.NoError(t, err)
		logs := make([]float64, m.Vocabulary)
		for _, c := range p.Top {
			logs[c.Token] = c.Logprob
		}
		list = append(list, logs)
	}
	return list
}
