package llm_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/tensor/safetensors"
)

// TestAdapter: an adapter does what its product, added to the weight, would do.
func TestAdapter(t *testing.T) {
	base, merged, adapter := t.TempDir(), t.TempDir(), t.TempDir()
	require.NoError(t, llmtest.WriteFolder(base, llmtest.Small))
	require.NoError(t, llmtest.WriteFolder(merged, llmtest.Small))
	const name, width, rank, alpha = "model.layers.1.self_attn.q_proj", 64, 2, 3.0
	down, up := make([]float32, rank*width), make([]float32, width*rank)
	for i := range down {
		down[i], up[i] = float32(i%7-3)/10, float32(i%5-2)/5
	}
	f, err := safetensors.Open(base)
	require.NoError(t, err)
	all, err := f.All()
	require.NoError(t, err)
	var list []safetensors.Tensor
	for n, b := range all {
		values := append([]float32(nil), buf.Slice[float32](b)...)
		if n == name+".weight" {
			for row := range width {
				for col := range width {
					for k := range rank {
						values[row*width+col] += alpha / rank * up[row*rank+k] * down[k*width+col]
					}
				}
			}
		}
		list = append(list, safetensors.Tensor{Name: n, Data: buf.From(values, b.Shape...)})
	}
	require.NoError(t, f.Close())
	require.NoError(t, safetensors.WriteFile(filepath.Join(merged, "model.safetensors"), list, nil))
	require.NoError(t, os.WriteFile(filepath.Join(adapter, "adapter_config.json"), []byte(`{"peft_type":"LORA","r":2,"lora_alpha":7,
		"alpha_pattern":{"proj":9,"layers.0.self_attn.q_proj":8,"self_attn\\.[qk]_proj":3}}`), 0o644))
	require.NoError(t, safetensors.WriteFile(filepath.Join(adapter, "adapter_model.safetensors"), []safetensors.Tensor{
		{Name: "base_model.model." + name + ".lora_A.weight", Data: buf.From(down, rank, width)},
		{Name: "base_model.model." + name + ".lora_B.weight", Data: buf.From(up, width, rank)}}, nil))
	ask := func(path string, o llm.LoadOptions) (tokens []int, logs []float64) {
		o.Context = 128
		m, err := llm.Load(path, o)
		require.NoError(t, err)
		defer m.Close()
		for p, err := range m.GenerateTokens(context.Background(), []int{1, 270, 280, 290}, llm.Options{MaxTokens: 10, Logprobs: 1, IgnoreEnd: true}) {
			require.NoError(t, err)
			tokens, logs = append(tokens, p.Token), append(logs, p.Logprob)
		}
		return tokens, logs
	}
	want, logs := ask(merged, llm.LoadOptions{})
	got, near := ask(base, llm.LoadOptions{Adapters: []string{adapter}})
	require.Equal(t, want, got)
	require.InDeltaSlice(t, logs, near, 1e-3)
	_, plain := ask(base, llm.LoadOptions{})
	require.NotEqual(t, plain, near, "the adapter changes something")
	got, near = ask(base, llm.LoadOptions{Adapters: []string{adapter, adapter}, AdapterScales: []float64{1.75, -0.75}})
	require.Equal(t, want, got)
	require.InDeltaSlice(t, logs, near, 1e-3)
	_, near = ask(base, llm.LoadOptions{Adapters: []string{adapter}, AdapterScales: []float64{0}})
	require.InDeltaSlice(t, plain, near, 1e-3)
	config := filepath.Join(adapter, "adapter_config.json")
	require.NoError(t, os.WriteFile(config, []byte(`{"peft_type":"LORA","r":9,"rank_pattern":{"q_proj":2}}`), 0o644))
	got, near = ask(base, llm.LoadOptions{Adapters: []string{adapter}, AdapterScales: []float64{alpha / 8}}) // PEFT's default of lora_alpha is 8
	require.Equal(t, want, got)
	require.InDeltaSlice(t, logs, near, 1e-3)
	_, err = llm.Load(base, llm.LoadOptions{Adapters: []string{adapter}, AdapterScales: []float64{1, 2}})
	require.ErrorContains(t, err, "2 AdapterScales for 1 Adapters")
	for kind, want := range map[string]string{"adapter": "rows of queries and keys in another order than a folder of Hugging Face", "model": "general.type is model"} {
		_, err = llm.Load(base, llm.LoadOptions{Adapters: []string{ggufAdapter(t, kind)}})
		require.ErrorContains(t, err, want)
	}
	for text, want := range map[string]string{
		`{"peft_type":"LORA","lora_alpha":3,"alpha_pattern":{"q_proj(":6}}`:                       `alpha_pattern has the key "q_proj("`,
		`{"peft_type":"LORA","lora_alpha":3,"alpha_pattern":{"q_proj":6,"1.self_attn.q_proj":5}}`: "alpha_pattern has 5 and 6 for model.layers.1.self_attn.q_proj",
		`{"peft_type":"LORA","lora_alpha":3,"use_dora":true}`:                                     "use_dora is true",
		`{"peft_type":"LORA","lora_alpha":3,"alora_invocation_tokens":[5]}`:                       "alora_invocation_tokens is [5]",
		`{"peft_type":"LORA","lora_alpha":3,"init_lora_weights":"pissa"}`:                         "changes the weights of the model",
		`{"peft_type":"LORA","lora_alpha":"3"}`:                                                   "lora_alpha is a string, want a number",
		`{"peft_type":"LORA"}`:                                                                    "the rank of model.layers.1.self_attn.q_proj is 8, and its matrices have 2",
		`{"peft_type":"IA3"}`:                                                                     "IA3",
	} {
		require.NoError(t, os.WriteFile(config, []byte(text), 0o644))
		_, err := llm.Load(base, llm.LoadOptions{Adapters: []string{adapter}})
		require.ErrorContains(t, err, want)
	}
	require.NoError(t, safetensors.WriteFile(filepath.Join(adapter, "adapter_model.safetensors"), []safetensors.Tensor{
		{Name: "base_model.model." + name + ".lora_B.weight", Data: buf.From(up, width, rank)}}, nil))
	require.NoError(t, os.WriteFile(config, []byte(`{"peft_type":"LORA","r":2}`), 0o644))
	_, err = llm.Load(base, llm.LoadOptions{Adapters: []string{adapter}})
	require.ErrorContains(t, err, "lora_B.weight\" has no lora_A beside it")
}

// ggufAdapter writes the head of an adapter for llama, as llama.cpp's tools do, without tensors.
func ggufAdapter(t *testing.T, kind string) string {
	text := func(s string) []byte { return append(binary.LittleEndian.AppendUint64(nil, uint64(len(s))), s...) }
	b := append([]byte("GGUF\x03\x00\x00\x00"), make([]byte, 8)...)
	b = binary.LittleEndian.AppendUint64(b, 3)
	for _, pair := range [][2]string{{"general.architecture", "llama"}, {"general.type", kind}, {"adapter.type", "lora"}} {
		b = append(binary.LittleEndian.AppendUint32(append(b, text(pair[0])...), 8), text(pair[1])...)
	}
	path := filepath.Join(t.TempDir(), "adapter.gguf")
	require.NoError(t, os.WriteFile(path, append(b, make([]byte, 64-len(b)%32)...), 0o644))
	return path
}
