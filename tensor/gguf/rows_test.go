package gguf_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor/gguf"
	"github.com/go-acap/acap/tensor/nn"
)

// entry is an entry of the metadata: its type and its bytes.
type entry struct {
	kind uint32
	data []byte
}

func words(s string) entry  { return entry{8, text(nil, s)} }
func number(n uint32) entry { return entry{4, little.AppendUint32(nil, n)} }

// described writes a file with the given metadata and tensors of f32, whose elements count from 0.
func described(metadata map[string]entry, tensors map[string][]uint64) []byte {
	b := little.AppendUint32([]byte("GGUF"), 3)
	b = little.AppendUint64(little.AppendUint64(b, uint64(len(tensors))), uint64(len(metadata)))
	for key, e := range metadata {
		b = append(little.AppendUint32(text(b, key), e.kind), e.data...)
	}
	var data []byte
	for name, ne := range tensors {
		b = little.AppendUint32(text(b, name), uint32(len(ne)))
		size := uint64(1)
		for _, n := range ne {
			b, size = little.AppendUint64(b, n), size*n
		}
		b = little.AppendUint64(little.AppendUint32(b, 0), uint64(len(data)))
		for i := range size {
			data = little.AppendUint32(data, math.Float32bits(float32(i)))
		}
		data = append(data, make([]byte, (32-len(data)%32)%32)...)
	}
	return append(append(b, make([]byte, (32-len(b)%32)%32)...), data...)
}

// TestRows: the rows of queries and keys are brought into the order of PyTorch, and no others; the numbers come from
// LlamaTensorProcessor of transformers.
func TestRows(t *testing.T) {
	tensors := map[string][]uint64{"blk.0.attn_q.weight": {2, 8}, "blk.0.attn_k.weight": {2, 4}, "blk.0.attn_v.weight": {2, 4},
		"blk.0.attn_q.bias": {8}, "blk.1.attn_k.bias": {4}, "blk.0.attn_q_norm.weight": {4}, "attn_q": {8},
		"blk.0.attn_q.weight.lora_b": {2, 8}, "blk.0.attn_q.weight.lora_a": {2, 4}}
	firsts := func(b *buf.Buffer) []float32 {
		var list []float32
		for i := range b.Shape[0] {
			list = append(list, buf.Slice[float32](b)[i*b.Len()/b.Shape[0]])
		}
		return list
	}
	inFile := map[string][]float32{"blk.0.attn_q.weight": {0, 2, 4, 6, 8, 10, 12, 14}, "blk.0.attn_k.weight": {0, 2, 4, 6}, "blk.0.attn_v.weight": {0, 2, 4, 6},
		"blk.0.attn_q.bias": {0, 1, 2, 3, 4, 5, 6, 7}, "blk.1.attn_k.bias": {0, 1, 2, 3}, "blk.0.attn_q_norm.weight": {0, 1, 2, 3}, "attn_q": {0, 1, 2, 3, 4, 5, 6, 7},
		"blk.0.attn_q.weight.lora_b": {0, 2, 4, 6, 8, 10, 12, 14}, "blk.0.attn_q.weight.lora_a": {0, 2, 4, 6}}
	ordered := map[string][]float32{"blk.0.attn_q.weight": {0, 4, 2, 6, 8, 12, 10, 14}, "blk.0.attn_k.weight": {0, 4, 2, 6},
		"blk.0.attn_q.weight.lora_b": {0, 4, 2, 6, 8, 12, 10, 14}, "blk.0.attn_q.bias": {0, 2, 1, 3, 4, 6, 5, 7}, "blk.1.attn_k.bias": {0, 2, 1, 3}}
	for architecture, changes := range map[string]bool{"llama": true, "granite": true, "mistral3": true, "qwen2": false, "phi3": false, "": false} {
		data := described(map[string]entry{"general.architecture": words(architecture), architecture + ".attention.head_count": number(2),
			architecture + ".attention.head_count_kv": number(1)}, tensors)
		f, err := gguf.Read(data, "x")
		require.NoError(t, err)
		state, err := f.State()
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "x.gguf")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		loaded, err := nn.ReadState(path)
		require.NoError(t, err)
		for name := range tensors {
			raw, err := f.Tensor(name)
			require.NoError(t, err)
			require.Equal(t, inFile[name], firsts(raw), name)
			want := inFile[name]
			if changes && ordered[name] != nil {
				want = ordered[name]
			}
			require.Equal(t, want, firsts(state[name]), "%s of %s", name, architecture)
			require.Equal(t, buf.Slice[float32](state[name])[0], float32(0))
			require.Equal(t, fmt.Sprint(buf.Slice[float32](state[name])), fmt.Sprint(loaded[name].Float32s()), name)
		}
	}
}

// TestRowsOfBlocks: each block may have another number of heads. The numbers come from transformers'
// LlamaTensorProcessor.
func TestRowsOfBlocks(t *testing.T) {
	each := func(list ...uint32) entry {
		b := little.AppendUint64(little.AppendUint32(nil, 4), uint64(len(list)))
		for _, n := range list {
			b = little.AppendUint32(b, n)
		}
		return entry{9, b}
	}
	f, err := gguf.Read(described(map[string]entry{"general.architecture": words("deci"), "deci.attention.head_count": each(2, 1),
		"deci.attention.head_count_kv": each(1, 2)}, map[string][]uint64{"blk.0.attn_q.weight": {1, 8}, "blk.1.attn_q.weight": {1, 8},
		"blk.0.attn_k.weight": {1, 4}, "blk.1.attn_k.weight": {1, 4}}), "x")
	require.NoError(t, err)
	state, err := f.State()
	require.NoError(t, err)
	for name, want := range map[string][]float32{"blk.0.attn_q.weight": {0, 2, 1, 3, 4, 6, 5, 7}, "blk.1.attn_q.weight": {0, 2, 4, 6, 1, 3, 5, 7},
		"blk.0.attn_k.weight": {0, 2, 1, 3}, "blk.1.attn_k.weight": {0, 1, 2, 3}} {
		require.Equal(t, want, buf.Slice[float32](state[name]), name)
	}
}

// TestRowsOfPictures: the rows of an encoder of pictures are in another order if it is Pixtral's. The numbers come from
// the permutation of llama.cpp's converter, undone by hand.
func TestRowsOfPictures(t *testing.T) {
	for kind, want := range map[string][]float32{"pixtral": {0, 2, 1, 3, 4, 6, 5, 7}, "lightonocr": {0, 2, 1, 3, 4, 6, 5, 7}, "mlp": {0, 1, 2, 3, 4, 5, 6, 7}} {
		f, err := gguf.Read(described(map[string]entry{"general.architecture": words("clip"), "clip.projector_type": words(kind),
			"clip.vision.attention.head_count": number(2)}, map[string][]uint64{"v.blk.0.attn_k.weight": {1, 8}}), "x")
		require.NoError(t, err)
		state, err := f.State()
		require.NoError(t, err)
		require.Equal(t, want, buf.Slice[float32](state["v.blk.0.attn_k.weight"]), kind)
	}
}

// TestRowsRefused: where the heads are not known, or do not divide the rows, the order cannot be known.
func TestRowsRefused(t *testing.T) {
	list := entry{9, little.AppendUint32(little.AppendUint64(little.AppendUint32(nil, 4), 1), 2)}
	second := map[string][]uint64{"blk.1.attn_q.weight": {2, 8}}
	q, k := map[string][]uint64{"blk.0.attn_q.weight": {2, 8}}, map[string][]uint64{"blk.0.attn_k.weight": {2, 8}}
	for want, c := range map[string]struct {
		metadata map[string]entry
		tensors  map[string][]uint64
	}{
		`x: tensor "blk.0.attn_q.weight": the file does not say in llama.attention.head_count how many heads there are`: {map[string]entry{}, q},
		`"blk.1.attn_q.weight": the file does not say in llama.attention.head_count how many heads`:                     {map[string]entry{"llama.attention.head_count": list}, second},
		`"blk.0.attn_k.weight": the file does not say in llama.attention.head_count_kv how many`: {
			map[string]entry{"llama.attention.head_count": number(2), "llama.attention.head_count_kv": number(0)}, k},
		`"blk.0.attn_q.weight.lora_b": the file does not say`:                                            {map[string]entry{}, map[string][]uint64{"blk.0.attn_q.weight.lora_b": {2, 8}}},
		"[8 2] are no pairs of rows of 3 heads":                                                          {map[string]entry{"llama.attention.head_count": number(3)}, q},
		"[8 2] are no pairs of rows of 8 heads":                                                          {map[string]entry{"llama.attention.head_count": number(8)}, k},
		`rows of the architecture "chameleon" cannot be brought into the order of PyTorch: its norms`:    {map[string]entry{"general.architecture": words("chameleon")}, q},
		`"gptneox" cannot be brought into the order of PyTorch: PyTorch has one matrix with the queries`: {map[string]entry{"general.architecture": words("gptneox")}, q},
		`"plamo" cannot be brought into the order of PyTorch: its heads of queries`:                      {map[string]entry{"general.architecture": words("plamo")}, q},
		`where glm4.rope.dimension_sections says how`:                                                    {map[string]entry{"general.architecture": words("glm4"), "glm4.rope.dimension_sections": list}, q},
		"does not say in clip.vision.attention.head_count how many": {map[string]entry{"general.architecture": words("clip"),
			"clip.projector_type": words("pixtral")}, map[string][]uint64{"v.blk.0.attn_q.weight": {2, 8}}},
	} {
		if _, given := c.metadata["general.architecture"]; !given {
			c.metadata["general.architecture"] = words("llama")
		}
		f, err := gguf.Read(described(c.metadata, c.tensors), "x")
		require.NoError(t, err)
		_, err = f.State()
		require.ErrorContains(t, err, want)
		_, err = f.All()
		require.NoError(t, err, "as they are in the file")
	}
	f, err := gguf.Read(described(map[string]entry{"general.architecture": words("llama"), "llama.attention.head_count": {5, little.AppendUint32(nil, 2)}}, k), "x")
	require.NoError(t, err)
	state, err := f.State()
	require.NoError(t, err)
	require.Equal(t, []float32{0, 1, 4, 5, 2, 3, 6, 7}, buf.Slice[float32](state["blk.0.attn_k.weight"])[:8], "without another number, as many heads of keys as of queries")
}
