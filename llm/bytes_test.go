package llm_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/base/race"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
)

// bytesOfToken is how many bytes a token of an answer allocates in a model of sizes, with a context of 4,096.
func bytesOfToken(t *testing.T, sizes llmtest.Sizes) int {
	sizes.Width, sizes.Heads, sizes.KVHeads, sizes.Hidden, sizes.Context, sizes.Seed = 32, 4, 2, 32, 4096, 1
	path := llmtest.File(t, sizes)
	m, err := llm.Load(path, llm.LoadOptions{Context: 4096})
	require.NoError(t, err)
	defer m.Close()
	// Go counts what is allocated by spans of some KiB: over many tokens the rest of a span does not matter.
	const from, to = 16, 16 + 512
	var before, after runtime.MemStats
	n := 0
	for _, err := range m.Generate(context.Background(), "ab cd", llm.Options{IgnoreEnd: true}) {
		require.NoError(t, err)
		switch n++; n {
		case from:
			runtime.ReadMemStats(&before)
		case to:
			runtime.ReadMemStats(&after)
			return int(after.TotalAlloc-before.TotalAlloc) / (to - from)
		}
	}
	require.Fail(t, "the answer ended", "after %d tokens", n)
	return 0
}

// TestBytesOfToken: a token allocates a little, and nothing that depends on the layers or the vocabulary: it is not
// recorded, keys and values have no handles, and scores lie in the memory of those before.
func TestBytesOfToken(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	few, many, deep := bytesOfToken(t, llmtest.Sizes{Layers: 1, Vocabulary: 320}), bytesOfToken(t, llmtest.Sizes{Layers: 1, Vocabulary: 32000}),
		bytesOfToken(t, llmtest.Sizes{Layers: 7, Vocabulary: 320})
	t.Logf("%d and %d bytes, and %d with six layers more", few, many, deep)
	require.Positive(t, few)
	require.Less(t, few, 4<<10)
	require.Less(t, many-few, 2<<10)
	require.Less(t, (deep-few)/6, 128)
}

// TestFlatMemory: after 10,000 tokens a model holds what it held after 1,000.
func TestFlatMemory(t *testing.T) {
	longtest.Only(t)
	m := small(t, llm.LoadOptions{Context: 1024})
	held := func() int {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return int(s.HeapAlloc)
	}
	before, n := 0, 0
	for seed := range 10 {
		for _, err := range m.Generate(context.Background(), "ab cd", llm.Options{IgnoreEnd: true, Sampling: llm.Sampling{Temperature: 1, Seed: uint64(1 + seed)}}) {
			require.NoError(t, err)
			n++
		}
		if seed == 0 {
			before = held()
		}
	}
	require.Greater(t, n, 10_000)
	require.Less(t, held()-before, 1<<20)
}
