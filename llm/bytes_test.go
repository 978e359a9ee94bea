package llm_test

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
)

// TestBytesOfScores: a token allocates as much where there are 32,000 tokens to choose from as where there are 320: the scores of a pass, 125 KiB,
// lie in the memory of those before.
func TestBytesOfScores(t *testing.T) {
	bytes := func(vocabulary int) int {
		path := filepath.Join(t.TempDir(), "m.gguf")
		require.NoError(t, llmtest.WriteGGUF(path, llmtest.Sizes{Layers: 1, Width: 32, Heads: 4, KVHeads: 2, Hidden: 32,
			Vocabulary: vocabulary, Context: 4096, Seed: 1}))
		m, err := llm.Load(path, llm.LoadOptions{Context: 4096})
		require.NoError(t, err)
		defer m.Close()
		const from, to = 16, 80
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
		return 0
	}
	few, many := bytes(320), bytes(32000)
	t.Logf("%d and %d bytes", few, many)
	require.Positive(t, few)
	require.Less(t, many-few, 16<<10)
}
