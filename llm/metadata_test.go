package llm

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/architecture"
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
			_, err = architecture.FromGGUF(f)
			require.ErrorContains(t, err, ", want 1 to 16777216", "%s of %d layers", name, layers)
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
	} {
		f.Metadata[c.key] = c.value
		_, err := architecture.FromGGUF(f)
		if c.says == "" {
			require.NoError(t, err, c.key)
		} else {
			require.ErrorContains(t, err, c.says)
		}
		delete(f.Metadata, c.key)
	}

	// A layer that guesses is none of the model's, and its weights are left alone.
	f.Metadata["llama.nextn_predict_layers"] = uint64(1)
	d, err := architecture.FromGGUF(f)
	require.NoError(t, err)
	require.Equal(t, 1, d.Layers)
	w, err := openGGUFWeights(f, d)
	require.NoError(t, err)
	names, err := d.Members(w.shape)
	require.NoError(t, err)
	require.Contains(t, names, "blk.0.attn_q.weight")
	require.NotContains(t, names, "blk.1.attn_q.weight")
}

// TestLeftByKeys: what files leave to the name and the size of a model is what llama.cpp takes.
func TestLeftByKeys(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small) // for the shape of the vocabulary
	of := func(name string, layers uint64, keys map[string]any) *architecture.Description {
		f.Metadata = map[string]any{"general.architecture": name, name + ".block_count": layers, name + ".embedding_length": uint64(64),
			name + ".attention.head_count": uint64(4), name + ".feed_forward_length": uint64(96), name + ".context_length": uint64(32),
			name + ".expert_count": uint64(4), name + ".expert_used_count": uint64(2),
			name + ".expert_feed_forward_length": uint64(96)}
		for key, value := range keys {
			f.Metadata[name+"."+key] = value
		}
		d, err := architecture.FromGGUF(f)
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

// TestRecommended reads what a file recommends for sampling.
func TestRecommended(t *testing.T) {
	f := &gguf.File{Metadata: map[string]any{}}
	s, err := recommended(f, 320)
	require.NoError(t, err)
	require.Equal(t, Options{}, s)
	f.Metadata = map[string]any{"general.sampling.temp": 0.75, "general.sampling.top_k": int64(-1), "general.sampling.top_p": 0.5, "general.sampling.min_p": 0.125,
		"general.sampling.xtc_probability": 0.25, "general.sampling.xtc_threshold": 0.0625, "general.sampling.penalty_last_n": int64(-1),
		"general.sampling.penalty_repeat": 1.5}
	s, err = recommended(f, 320)
	require.NoError(t, err)
	require.Equal(t, Options{Sampling: Sampling{Temperature: 0.75, TopK: -1, TopP: 0.5, MinP: 0.125, XTCProbability: 0.25, XTCThreshold: 0.0625, RepeatLast: -1,
		RepeatPenalty: 1.5}}, s)
	f.Metadata["general.sampling.penalty_last_n"] = int64(0)
	s, err = recommended(f, 320)
	require.NoError(t, err)
	require.Zero(t, s.RepeatPenalty)
	f.Metadata["general.sampling.top_p"] = 7.0
	_, err = recommended(f, 320)
	require.ErrorContains(t, err, "general.sampling: TopP is 7")
	f.Metadata = map[string]any{"general.sampling.temp": 0.75, "general.sampling.top_k": uint64(9), "general.sampling.min_p": 0.5, "general.sampling.mirostat": uint64(2),
		"general.sampling.mirostat_tau": 3.0, "general.sampling.mirostat_eta": 0.25, "general.sampling.sequence": "penalties;min_p;temperature"}
	s, err = recommended(f, 320)
	require.NoError(t, err)
	require.Equal(t, Options{Sampling: Sampling{Temperature: 0.75, MinP: 0.5, Mirostat: 2, MirostatTau: 3, MirostatEta: 0.25}}, s)
	for key, value := range map[string]any{"sequence": "temperature;top_k", "typical": 0.5, "top_p": "0.5"} {
		_, err = recommended(&gguf.File{Metadata: map[string]any{"general.sampling." + key: value}}, 320)
		require.ErrorContains(t, err, key+" is "+fmt.Sprint(value))
	}
}

// TestNoModel: a part of a split file, and a folder without a description, are told what to do.
func TestNoModel(t *testing.T) {
	le := binary.LittleEndian
	b := le.AppendUint64(le.AppendUint64(le.AppendUint32([]byte("GGUF"), 3), 0), 1)
	b = append(le.AppendUint64(b, uint64(len("split.count"))), "split.count"...)
	f, err := gguf.Read(le.AppendUint16(le.AppendUint32(b, 2), 3), "x")
	require.NoError(t, err)
	_, err = architecture.FromGGUF(f)
	require.ErrorContains(t, err, "one of 3 parts")
	_, err = Load(t.TempDir(), LoadOptions{})
	require.ErrorContains(t, err, "the folder has no config.json")
	require.ErrorIs(t, err, os.ErrNotExist)
	for _, c := range []struct{ name, text, says string }{
		{"config.json", "{", "config.json: byte 0: unexpected end of JSON input"},
		{"tokenizer.json", "", "the folder has no tokenizer.json; transformers writes it"},
	} {
		dir := t.TempDir()
		require.NoError(t, llmtest.WriteFolder(dir, llmtest.Small))
		if c.text == "" {
			require.NoError(t, os.Remove(filepath.Join(dir, c.name)))
		} else {
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.name), []byte(c.text), 0o600))
		}
		_, err = Load(dir, LoadOptions{})
		require.ErrorContains(t, err, c.says)
		_, err = Load(filepath.Join(dir, "model.safetensors"), LoadOptions{})
		require.ErrorContains(t, err, "name the folder")
	}
	_, err = Load("owner/name", LoadOptions{})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "models are not fetched")
	cache := t.TempDir()
	snapshot := filepath.Join(cache, "snapshots", "0a1b")
	require.NoError(t, os.MkdirAll(snapshot, 0o700))
	_, err = Load(cache, LoadOptions{})
	require.ErrorContains(t, err, "name a snapshot in it, such as "+snapshot)
}

// TestSuppressedTokens: tokens that a file says never come, as files of Gemma 4 do, never come.
func TestSuppressedTokens(t *testing.T) {
	const array, number = 9, 4
	le, key := binary.LittleEndian, "tokenizer.ggml.suppress_tokens"
	b := le.AppendUint64(le.AppendUint64(le.AppendUint32([]byte("GGUF"), 3), 0), 1)
	b = le.AppendUint32(append(le.AppendUint64(b, uint64(len(key))), key...), array)
	b = le.AppendUint32(le.AppendUint32(le.AppendUint64(le.AppendUint32(b, number), 2), 7), 300)
	f, err := gguf.Read(b, "x")
	require.NoError(t, err)
	o, err := recommended(f, 301)
	require.NoError(t, err)
	require.Equal(t, []SequenceBias{{Tokens: []int{7}, Bias: math.Inf(-1)}, {Tokens: []int{300}, Bias: math.Inf(-1)}}, o.Sequences)
	_, err = recommended(f, 300)
	require.ErrorContains(t, err, "has the token 300; there are 300")
}
