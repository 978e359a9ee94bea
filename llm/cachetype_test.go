package llm_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
)

// TestCacheTypes: keys and values of 16 bits take half of the memory, and attention reads them as they are, where they
// are. Probabilities move by what rounding makes of them: the divergence of Kullback and Leibler goes with its square,
// so that f16, which has 3 bits more than bf16, has a 64th of it, and it is not 0.
func TestCacheTypes(t *testing.T) {
	path := llmtest.File(t, llmtest.Small)
	o, err := llm.Inspect(path)
	require.NoError(t, err)
	options := llm.LoadOptions{Context: 256, CacheType: dtype.F32}
	wide, err := o.Footprint(options)
	require.NoError(t, err)
	byDefault, err := o.Footprint(llm.LoadOptions{Context: 256})
	require.NoError(t, err)
	require.Equal(t, wide.Cache/2, byDefault.Cache, "f16")
	byDefault, err = o.Footprint(llm.LoadOptions{Context: 256, Exact: true})
	require.NoError(t, err)
	require.Equal(t, wide.Cache, byDefault.Cache, "exact products read what was computed")
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
		readsInPlace(t, m, llmtest.Small.Layers)
	}
	for cause, o := range map[string]llm.LoadOptions{"kept as f32, f16 or bf16": {CacheType: dtype.I8}, "in blocks of q8_0": {CacheFormat: dtype.Q4_0},
		"one of them is wanted": {CacheType: dtype.F16, CacheFormat: dtype.Q8_0}, "whose blocks have 32 numbers": {CacheFormat: dtype.Q8_0}} {
		_, err = llm.Load(path, o)
		require.ErrorContains(t, err, cause)
	}
}

// TestCacheOfBlocks: keys and values in blocks of 8 bits take 34 bytes for 32 numbers, and attention reads them where
// they are. Their rounding is at most half a 127th of the greatest of 32 numbers. With 7 bits the divergence would be
// four times as large.
func TestCacheOfBlocks(t *testing.T) {
	sizes := llmtest.Small
	sizes.Heads, sizes.KVHeads = 2, 1
	path := llmtest.File(t, sizes)
	options := llm.LoadOptions{Context: 256, CacheType: dtype.F32}
	o, err := llm.Inspect(path)
	require.NoError(t, err)
	wide, err := o.Footprint(options)
	require.NoError(t, err)
	load := func() *llm.Model {
		m, err := llm.Load(path, options)
		require.NoError(t, err)
		t.Cleanup(func() { m.Close() })
		return m
	}
	exact := probabilities(t, load())
	options.CacheType, options.CacheFormat = dtype.Invalid, dtype.Q8_0
	f, err := o.Footprint(options)
	require.NoError(t, err)
	require.Equal(t, wide.Cache*34/128, f.Cache)
	m := load()
	for i, row := range probabilities(t, m) {
		divergence := 0.0
		for k, p := range row {
			divergence += math.Exp(exact[i][k]) * (exact[i][k] - p)
		}
		t.Logf("%.2g", divergence)
		require.Less(t, divergence, 1e-3)
		require.NotEqual(t, exact[i], row, "numbers were rounded")
	}
	readsInPlace(t, m, sizes.Layers)
}

// readsInPlace says that attention is a kernel of each layer, which reads keys and values where they are.
func readsInPlace(t *testing.T, m *llm.Model, layers int) {
	e, err := m.Explain(llm.Pass{Sequences: 1, Tokens: 1, Seen: 256})
	require.NoError(t, err)
	for _, k := range e.Kernels {
		require.NotEqual(t, "host", k.Kind)
		require.NotContains(t, k.Calls, "index_select", "a copy of keys or values")
		require.NotContains(t, k.Calls, "_unpack_blocks", "values of the whole cache")
		if k.Kind == "attention" {
			layers--
		}
	}
	require.Zero(t, layers)
}

// probabilities are the logarithms of the probabilities of all tokens behind a prompt, and behind a token more.
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
