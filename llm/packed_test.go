package llm

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/architecture"
)

// smallGGUF writes a model of two layers whose matrices are blocks of a format, or the values of these blocks as f32.
func smallGGUF(t testing.TB, kind uint32, f dtype.Format, unpacked bool) string {
	const layers, width, heads, kv, hidden, vocabulary = 2, 64, 4, 2, 96, 40
	le := binary.LittleEndian
	text := func(b []byte, s string) []byte { return append(le.AppendUint64(b, uint64(len(s))), s...) }
	entries := 0
	var meta, infos, data []byte
	number := func(key string, v uint32) {
		meta, entries = le.AppendUint32(le.AppendUint32(text(meta, key), 4), v), entries+1
	}
	str := func(key, v string) { meta, entries = text(le.AppendUint32(text(meta, key), 8), v), entries+1 }
	str("general.architecture", "llama")
	for key, v := range map[string]uint32{"context_length": 64, "embedding_length": width, "block_count": layers, "feed_forward_length": hidden,
		"attention.head_count": heads, "attention.head_count_kv": kv, "rope.dimension_count": width / heads, "vocab_size": vocabulary} {
		number("llama."+key, v)
	}
	meta, entries = le.AppendUint32(le.AppendUint32(text(meta, "llama.attention.layer_norm_rms_epsilon"), 6), math.Float32bits(1e-5)), entries+1
	str("tokenizer.ggml.model", "llama")
	meta, entries = le.AppendUint64(le.AppendUint32(le.AppendUint32(text(meta, "tokenizer.ggml.tokens"), 9), 8), vocabulary), entries+1
	for i := range vocabulary {
		meta = text(meta, string(rune('a'+i)))
	}
	meta, entries = le.AppendUint64(le.AppendUint32(le.AppendUint32(text(meta, "tokenizer.ggml.scores"), 9), 6), vocabulary), entries+1
	meta = append(meta, make([]byte, 4*vocabulary)...)
	count := 0
	add := func(name string, kind uint32, dims []uint64, bytes []byte) {
		infos = le.AppendUint32(text(infos, name), uint32(len(dims)))
		for _, n := range dims {
			infos = le.AppendUint64(infos, n)
		}
		infos = le.AppendUint64(le.AppendUint32(infos, kind), uint64(len(data)))
		data = append(data, bytes...)
		data = append(data, make([]byte, -len(data)&31)...)
		count++
	}
	matrix := func(name string, rows, cols int) {
		size, _ := f.RowBytes(rows * cols)
		packed := make([]byte, size)
		for i, v := range formula(name, []int{size}) {
			packed[i] = byte(int(v*1e6) >> 3)
			if i%f.Bytes() < 2 { // the scale: numbers are up to about a quarter
				packed[i] = []byte{0, byte(0x38 - 16*(f.Bytes()/16))}[i%f.Bytes()]
			}
		}
		if !unpacked {
			add(name, kind, []uint64{uint64(cols), uint64(rows)}, packed)
			return
		}
		values, plain := make([]float32, rows*cols), []byte(nil)
		block.Decode(f, values, packed)
		for _, v := range values {
			plain = le.AppendUint32(plain, math.Float32bits(v))
		}
		add(name, 0, []uint64{uint64(cols), uint64(rows)}, plain)
	}
	norm := func(name string) {
		var plain []byte
		for range width {
			plain = le.AppendUint32(plain, math.Float32bits(1))
		}
		add(name, 0, []uint64{width}, plain)
	}
	matrix("token_embd.weight", vocabulary, width)
	matrix("output.weight", vocabulary, width)
	norm("output_norm.weight")
	for i := range layers {
		norm(architecture.WeightName(i, "attn_norm.weight"))
		norm(architecture.WeightName(i, "ffn_norm.weight"))
		matrix(architecture.WeightName(i, "attn_q.weight"), width, width)
		matrix(architecture.WeightName(i, "attn_k.weight"), width/2, width)
		matrix(architecture.WeightName(i, "attn_v.weight"), width/2, width)
		matrix(architecture.WeightName(i, "attn_output.weight"), width, width)
		matrix(architecture.WeightName(i, "ffn_gate.weight"), hidden, width)
		matrix(architecture.WeightName(i, "ffn_up.weight"), hidden, width)
		matrix(architecture.WeightName(i, "ffn_down.weight"), width, hidden)
	}
	b := le.AppendUint64(le.AppendUint64(le.AppendUint32([]byte("GGUF"), 3), uint64(count)), uint64(entries))
	b = append(append(b, meta...), infos...)
	b = append(append(b, make([]byte, -len(b)&31)...), data...)
	path := filepath.Join(t.TempDir(), "small.gguf")
	require.NoError(t, os.WriteFile(path, b, 0o644))
	return path
}

// likely returns the logarithms of all probabilities of the token behind some, and of the one behind it.
func likely(t testing.TB, path string, exact bool) (list []float64) {
	m, err := Load(path, LoadOptions{Exact: exact})
	require.NoError(t, err)
	defer m.Close()
	for piece, err := range m.GenerateTokens(context.Background(), []int{3, 1, 4, 1, 5}, Options{MaxTokens: 2, IgnoreEnd: true, Logprobs: 41}) {
		require.NoError(t, err)
		all := make([]float64, 40)
		for _, c := range piece.Top {
			all[c.Token] = c.Logprob
		}
		list = append(list, all...)
	}
	return list
}

// TestPackedWeights: a model whose weights stay packed gives the scores of the same numbers in f32, and nearly so with
// rows rounded to 8 bits.
func TestPackedWeights(t *testing.T) {
	for kind, f := range map[uint32]dtype.Format{8: dtype.Q8_0, 2: dtype.Q4_0} {
		want := likely(t, smallGGUF(t, kind, f, true), true)
		path := smallGGUF(t, kind, f, false)
		require.InDeltaSlice(t, want, likely(t, path, true), 1e-4, "%v", f)
		rounded := likely(t, path, false)
		require.InDeltaSlice(t, want, rounded, 0.1, "%v", f)
		require.NotEqual(t, want, rounded)
	}
}
