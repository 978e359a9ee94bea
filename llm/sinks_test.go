package llm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSinksInPlace: attention with sinks is a kernel of each layer, which reads keys and values where they are.
func TestSinksInPlace(t *testing.T) {
	m, err := Load(folderOf(t, recordings(t)["gpt_oss"]), LoadOptions{Context: 64})
	require.NoError(t, err)
	defer m.Close()
	e, err := m.Explain(Pass{Sequences: 1, Tokens: 1, Seen: 64})
	require.NoError(t, err)
	layers, written := 0, false
	for _, k := range e.Kernels {
		switch k.Kind {
		case "scatter": // to the cache
			written = true
		case "attention":
			written = false
			layers++
		}
		if written {
			require.NotContains(t, k.Calls, "index_select", "a copy of keys or values")
		}
	}
	require.Equal(t, m.Layers, layers)
}
