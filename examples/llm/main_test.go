package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	_ "github.com/go-acap/acap/base/longtest" // collects garbage less often
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// kinds are small models with what configurations can say.
func kinds() map[string]Config {
	biases, norms, headed := configs["small"], configs["small"], configs["small"]
	biases.Biases, norms.HeadNorms, headed.Tied, headed.KVHeads = true, true, false, 4
	return map[string]Config{"plain": configs["small"], "biases": biases, "norms": norms, "head": headed}
}

// TestCache decodes with a cache what a prefill of the longer prompt says, in f32.
func TestCache(t *testing.T) {
	dev, err := acap.Open("npu2")
	require.NoError(t, err)
	for name, c := range kinds() {
		tensor.Seed(3)
		m := random(c, dev, dtype.F32)
		prompt := []int64{3, 1, 4, 1, 5, 9, 2}
		_, cache := m.Prefill(prompt[:4], 9)
		for i := 4; i < len(prompt); i++ {
			got := m.Decode(prompt[i], i, cache)
			want, _ := m.Prefill(prompt[:i+1], i+1)
			require.InDeltaSlice(t, want.Float32s(), got.Float32s(), 1e-4, "%s, token %d", name, i)
		}
	}
}

// TestTokenInPlace: a token is added to a cache of 4,096 places without a copy of it.
func TestTokenInPlace(t *testing.T) {
	tensor.Seed(3)
	m := random(configs["small"], acap.Device(), dtype.F32)
	_, cache := m.Prefill([]int64{1, 2, 3}, 4096)
	step := func(i int) { m.Decode(int64(i), i, cache).Float32s() }
	for i := 3; i < 6; i++ {
		step(i)
	}
	before := lazy.For(acap.Device()).Metrics().Snapshot
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	const tokens = 10
	for i := range tokens {
		step(6 + i)
	}
	runtime.ReadMemStats(&end)
	require.Less(t, (end.TotalAlloc-start.TotalAlloc)/tokens, uint64(64<<10))
	counts := lazy.For(acap.Device()).Metrics().Snapshot.Sub(before).Counters
	require.EqualValues(t, tokens, counts["ProgramRuns"], "one program for each token")
}

// TestPositions swaps two tokens before the last: the scores know their order.
func TestPositions(t *testing.T) {
	tensor.Seed(3)
	m := random(configs["small"], acap.Device(), dtype.F32)
	a, _ := m.Prefill([]int64{1, 2, 3}, 3)
	b, _ := m.Prefill([]int64{2, 1, 3}, 3)
	require.NotEqual(t, a.Float32s(), b.Float32s())
}

// TestWeights writes the weights of a model and reads them again.
func TestWeights(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.safetensors")
	tensor.Seed(5)
	c := kinds()["biases"]
	m := random(c, acap.Device(), dtype.BF16)
	require.NoError(t, nn.WriteState(path, m.Weights))
	again, err := read(c, path, acap.Device(), dtype.BF16)
	require.NoError(t, err)
	x, _ := m.Prefill([]int64{7, 8}, 2)
	y, _ := again.Prefill([]int64{7, 8}, 2)
	require.Equal(t, m.as(x, dtype.F32).Float32s(), again.as(y, dtype.F32).Float32s())
	c.Hidden *= 2
	_, err = read(c, path, acap.Device(), dtype.BF16)
	require.ErrorContains(t, err, "has the shape")
	c.Hidden /= 2
	c.HeadNorms = true
	_, err = read(c, path, acap.Device(), dtype.BF16)
	require.ErrorContains(t, err, "has no model.layers.0.self_attn.k_norm.weight")
}

func TestRun(t *testing.T) {
	var out bytes.Buffer
	o := options{config: "small", machine: "npu2", prompt: "1, 2,3", length: 1, new: 3, seed: 1}
	require.NoError(t, o.run(&out))
	require.Contains(t, out.String(), "prefill of 3 tokens: next is")
	require.Contains(t, out.String(), "decoded")
	require.Contains(t, out.String(), "1 host call (")
	for flag, change := range map[string]func(*options){
		"token":            func(o *options) { o.prompt = "256" },
		"no configuration": func(o *options) { o.config = "large" },
		"npu9":             func(o *options) { o.machine = "npu9" },
		"no such file":     func(o *options) { o.weights = "missing.safetensors" },
		"a prompt of":      func(o *options) { o.length = 0 },
	} {
		bad := o
		change(&bad)
		require.ErrorContains(t, bad.run(&out), flag)
	}
}

// TestAccount reports a large model whose weights have no values.
func TestAccount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"num_hidden_layers": 1, "hidden_size": 128,
		"num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 256, "vocab_size": 500,
		"tie_word_embeddings": true}`), 0o644))
	var out bytes.Buffer
	o := options{config: path, machine: "npu2", length: 16, account: true}
	require.NoError(t, o.run(&out))
	require.Equal(t, 2, strings.Count(out.String(), "1 host call ("), out.String())
	require.NotContains(t, out.String(), "cannot run")
}

func TestConfig(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	const sound = `{"num_hidden_layers":1,"hidden_size":64,"num_attention_heads":4,"intermediate_size":8,"vocab_size":8`
	for text, want := range map[string]string{
		`{`:                         "unexpected end",
		`{"num_hidden_layers": -1}`: "num_hidden_layers is -1",
		`{"num_hidden_layers":1,"hidden_size":64,"num_attention_heads":4,"num_key_value_heads":3,"intermediate_size":8,"vocab_size":8}`: "cannot share",
		`{"num_hidden_layers":1,"hidden_size":12,"num_attention_heads":4,"intermediate_size":8,"vocab_size":8}`:                         "rotary",
		sound + `,"rope_theta":0}`:           "rope_theta is 0, want 1 to",
		sound + `,"rope_theta":-1}`:          "rope_theta is -1",
		sound + `,"rope_theta":1e300}`:       "rope_theta is 1e+300",
		sound + `,"rms_norm_eps":-1}`:        "rms_norm_eps is -1, want 0 to 1",
		sound + `,"rms_norm_eps":2}`:         "rms_norm_eps is 2",
		sound + `,"rms_norm_eps":"x"}`:       "rms_norm_eps",
		sound + `,"head_dim":-2}`:            "head_dim is -2",
		sound + `,"num_key_value_heads":-1}`: "num_key_value_heads is -1",
		sound + `,"vocab_size":0}`:           "vocab_size is 0",
		sound + `,"hidden_size":66}`:         "cannot be shared by 4 heads",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err := configOf(path)
		require.ErrorContains(t, err, want)
	}
}
