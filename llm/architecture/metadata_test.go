package architecture

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/tensor/gguf"
)

// TestDescribeRefusals: numbers of a file that make no model are errors, whatever else is read before they are checked.
func TestDescribeRefusals(t *testing.T) {
	le := binary.LittleEndian
	text := func(b []byte, s string) []byte { return append(le.AppendUint64(b, uint64(len(s))), s...) }
	for _, name := range []string{"llama", "gemma3", "deepseek2", "gpt-oss"} {
		for _, layers := range []uint64{0, 1, 1025, 1 << 30, 1 << 63} {
			var meta []byte
			entries := uint64(0)
			number := func(key string, v uint64) {
				meta, entries = le.AppendUint64(le.AppendUint32(text(meta, key), 10), v), entries+1
			}
			meta, entries = text(le.AppendUint32(text(meta, "general.architecture"), 8), name), 1
			number(name+".block_count", layers)
			number(name+".attention.head_count", 4)
			number(name+".embedding_length", 64)
			number(name+".expert_count", 4)
			number(name+".leading_dense_block_count", 1)
			meta = le.AppendUint64(le.AppendUint32(le.AppendUint32(text(meta, name+".attention.sliding_window_pattern"), 9), 7), 1)
			meta, entries = append(meta, 1), entries+1
			b := le.AppendUint64(le.AppendUint64(le.AppendUint32([]byte("GGUF"), 3), 0), entries)
			f, err := gguf.Read(append(b, meta...), "x")
			require.NoError(t, err)
			_, err = FromGGUF(f)
			want := ", want 1 to 16777216"
			if layers > 1<<31 {
				want = "block_count is 9.223372037e+18, want 0 to 2147483647"
			}
			require.ErrorContains(t, err, want, "%s of %d layers", name, layers)
		}
	}
}

// TestMetadata changes an entry of a file: what would change scores and is not computed is refused.
func TestMetadata(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small)
	for _, c := range []struct {
		key   string
		value any
		says  string
	}{
		{"llama.rope.scaling.type", "spiral", `positions are scaled in the way "spiral"`},
		{"llama.rope.scaling.type", "none", ""},
		{"llama.attention.causal", false, "attention.causal is false, which no llama that is known has"},
		{"llama.attention.causal", true, ""},
		{"llama.pooling_type", uint64(4), "pooling_type is 4"},
		{"llama.pooling_type", uint64(3), ""},
		{"llama.nextn_predict_layers", uint64(2), "number of layers is 0"},
		{"llama.nextn_predict_layers", uint64(0), ""},
		{"llama.rope.scaling.type", 7.0, "llama.rope.scaling.type is no text"},
		{"llama.rope.freq_base", "7", `llama.rope.freq_base is the text "7", want a number`},
		{"llama.attention.scale", math.NaN(), "llama.attention.scale is NaN, want a finite number"},
		{"llama.block_count", uint64(1 << 32), "llama.block_count is 4294967296, want 0 to 2147483647"},
	} {
		before, given := f.Metadata[c.key]
		f.Metadata[c.key] = c.value
		_, err := FromGGUF(f)
		if c.says == "" {
			require.NoError(t, err, c.key)
		} else {
			require.ErrorContains(t, err, c.says)
		}
		if delete(f.Metadata, c.key); given {
			f.Metadata[c.key] = before
		}
	}

	// A layer that guesses is none of the model's, and its weights are left alone.
	f.Metadata["llama.nextn_predict_layers"] = uint64(1)
	d, err := FromGGUF(f)
	require.NoError(t, err)
	require.Equal(t, 1, d.Layers)
	shapes := map[string][]int{}
	for _, info := range f.Tensors() {
		shapes[info.Name] = info.Shape
	}
	names, err := d.Members(func(name string) []int { return shapes[name] })
	require.NoError(t, err)
	shapes["blk.0.attn_q.weight"] = []int{}
	_, err = d.Members(func(name string) []int { return shapes[name] })
	require.EqualError(t, err, "blk.0.attn_q.weight has the shape [], not [64 64]")
	require.Contains(t, names, "blk.0.attn_q.weight")
	require.NotContains(t, names, "blk.1.attn_q.weight")
}

// TestLeftByKeys: where files leave keys to the name and the size of a model, the values are llama.cpp's.
func TestLeftByKeys(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small) // for the shape of the vocabulary
	of := func(name string, layers uint64, keys map[string]any) *Description {
		f.Metadata = map[string]any{"general.architecture": name, name + ".block_count": layers, name + ".embedding_length": uint64(64),
			name + ".attention.head_count": uint64(4), name + ".feed_forward_length": uint64(96), name + ".context_length": uint64(32),
			name + ".expert_count": uint64(4), name + ".expert_used_count": uint64(2),
			name + ".expert_feed_forward_length": uint64(96)}
		for key, value := range keys {
			f.Metadata[name+"."+key] = value
		}
		d, err := FromGGUF(f)
		require.NoError(t, err, name)
		return d
	}
	yarn := map[string]any{"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0}
	require.False(t, of("gpt-oss", 2, yarn).Rotary.Yarn.Truncate)
	require.True(t, of("llama", 2, yarn).Rotary.Yarn.Truncate)
	require.Equal(t, 0.25, of("gemma2", 46, nil).AttentionScale) // 1/√(64/4)
	require.Zero(t, of("gemma2", 42, nil).AttentionScale)
	require.Equal(t, "slopes", of("baichuan", 40, nil).Positions)
	require.Equal(t, "rotary", of("baichuan", 32, nil).Positions)
	require.Equal(t, 0.7, of("minicpm", 4, nil).ResidualScale) // 1.4/√4
	require.Equal(t, 0.5, of("minicpm", 4, map[string]any{"residual_scale": 0.5}).ResidualScale)
}

// TestPartOfModel: a part of a split file is told what to do.
func TestPartOfModel(t *testing.T) {
	le := binary.LittleEndian
	b := le.AppendUint64(le.AppendUint64(le.AppendUint32([]byte("GGUF"), 3), 0), 1)
	b = append(le.AppendUint64(b, uint64(len("split.count"))), "split.count"...)
	f, err := gguf.Read(le.AppendUint16(le.AppendUint32(b, 2), 3), "x")
	require.NoError(t, err)
	_, err = FromGGUF(f)
	require.ErrorContains(t, err, "one of 3 parts")
}
