package llm

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor/safetensors"
)

// TestAdapterOfRows: an adapter of a weight whose rows a folder has in another order, with the scale of rslora, does what its product,
// added to the weight in the folder, does: alpha over the root of the rank.
func TestAdapterOfRows(t *testing.T) {
	for _, kind := range []string{"gpt_neox", "falcon", "falcon-one-key"} {
		r := recordings(t)[kind]
		name := "transformer.h.1.self_attention.query_key_value"
		if kind == "gpt_neox" {
			name = "gpt_neox.layers.1.attention.query_key_value"
		}
		shape := r.Weights[name+".weight"]
		require.Len(t, shape, 2)
		const rank, alpha = 2, 3.0
		down, up := formula("down", []int{rank, shape[1]}), formula("up", []int{shape[0], rank})
		base, merged, adapter := folderOf(t, r), folderOf(t, r), t.TempDir()
		var list []safetensors.Tensor
		for n, shape := range r.Weights {
			values := formula(n, shape)
			if n == name+".weight" {
				for i := range values {
					for k := range rank {
						values[i] += float32(float64(alpha/math.Sqrt(rank)*float64(up[i/shape[1]*rank+k])) * float64(down[k*shape[1]+i%shape[1]]))
					}
				}
			}
			list = append(list, safetensors.Tensor{Name: n, Data: buf.From(values, shape...)})
		}
		require.NoError(t, safetensors.WriteFile(filepath.Join(merged, "model.safetensors"), list, nil))
		require.NoError(t, os.WriteFile(filepath.Join(adapter, "adapter_config.json"), []byte(`{"peft_type":"LORA","r":2,"lora_alpha":3,"use_rslora":true,
			"use_dora":false,"init_lora_weights":true,"alora_invocation_tokens":null,"fan_in_fan_out":false}`), 0o644))
		require.NoError(t, safetensors.WriteFile(filepath.Join(adapter, "adapter_model.safetensors"), []safetensors.Tensor{
			{Name: "base_model.model." + name + ".lora_A.weight", Data: buf.From(down, rank, shape[1])},
			{Name: "base_model.model." + name + ".lora_B.weight", Data: buf.From(up, shape[0], rank)}}, nil))
		scores := func(path string, adapters ...string) []float32 {
			m, err := Load(path, LoadOptions{Context: 64, Adapters: adapters})
			require.NoError(t, err, kind)
			defer m.Close()
			e := &engine{m: m, batch: newBatch(pageTokens, 1, m.seen...)}
			s := &sequence{tokens: r.Tokens, limit: len(r.Tokens)}
			require.True(t, s.room(e.pools, len(r.Tokens)))
			out, err := e.compute(m.network, &e.memory, []piece{{s, 0, len(r.Tokens)}}, true)
			require.NoError(t, err)
			return append([]float32(nil), out.scores[(len(r.Tokens)-1)*m.Vocabulary:len(r.Tokens)*m.Vocabulary]...)
		}
		want := scores(merged)
		within(t, 2e-5, want, scores(base, adapter), 0)
		require.NotEqual(t, want, scores(base), kind)
	}
}
