package weights

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/tensor/gguf"
)

// TestUnreadOfGGUF: a tensor of a GGUF file that would not be computed with is refused by its name, beside those that
// are no part of the network.
func TestUnreadOfGGUF(t *testing.T) {
	path := llmtest.File(t, llmtest.Small)
	for name, says := range map[string]string{
		"blk.0.attn_gate.weight":     "is no weight of a llama that is known",
		"blk.1.attn_q.input_scale":   "is no weight of a llama",
		"outer_norm.weight":          "is no weight of a llama",
		"cls.output.weight":          "is no weight of a llama",
		"blk.2.attn_q.weight":        "is of a layer that the metadata does not have; it says 2 layers",
		"rope_freqs.weight":          "",
		"blk.1.rope_freqs.weight":    "",
		"rope_factors_long.weight":   "",
		"blk.0.attn_rot_embd.weight": "",
		"v.blk.0.attn_q.weight":      "",
		"mm.input_projection.weight": "",
	} {
		f, err := gguf.Open(path)
		require.NoError(t, err)
		d, err := architecture.FromGGUF(f)
		require.NoError(t, err)
		w := NewGGUF(f)
		w.infos[name] = gguf.Info{Name: name}
		if err = w.unread(d); says == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, name+" "+says)
		}
		require.NoError(t, f.Close())
	}
}
