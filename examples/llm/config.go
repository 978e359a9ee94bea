package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/inputfile"
)

// Config is the sizes of a model, by the names that files of configurations have.
type Config struct {
	Layers    int     `json:"num_hidden_layers"`
	Emb       int     `json:"hidden_size"`
	Heads     int     `json:"num_attention_heads"`
	KVHeads   int     `json:"num_key_value_heads"`
	HeadDim   int     `json:"head_dim"`
	Hidden    int     `json:"intermediate_size"`
	Vocab     int     `json:"vocab_size"`
	Theta     float64 `json:"rope_theta"`
	Eps       float64 `json:"rms_norm_eps"`
	Tied      bool    `json:"tie_word_embeddings"`
	Biases    bool    `json:"attention_bias"`
	HeadNorms bool    `json:"head_norms"`
	Type      string  `json:"model_type"` // "qwen2" has biases, "qwen3" norms of heads
}

// configs are models by name.
var configs = map[string]Config{
	"small":        {2, 64, 4, 2, 16, 128, 256, 1e4, 1e-5, true, false, false, "llama"},
	"llama-3.2-1b": {16, 2048, 32, 8, 64, 8192, 128256, 5e5, 1e-5, true, false, false, "llama"},
	"llama-3.2-3b": {28, 3072, 24, 8, 128, 8192, 128256, 5e5, 1e-5, true, false, false, "llama"},
	"smollm2-1.7b": {24, 2048, 32, 32, 64, 8192, 49152, 1.3e5, 1e-5, true, false, false, "llama"},
	"qwen2.5-1.5b": {28, 1536, 12, 2, 128, 8960, 151936, 1e6, 1e-6, true, true, false, "qwen2"},
	"qwen3-0.6b":   {28, 1024, 16, 8, 128, 3072, 151936, 1e6, 1e-6, true, false, true, "qwen3"},
}

// configOf returns the configuration of a name, or that in a file.
func configOf(name string) (Config, error) {
	if c, ok := configs[name]; ok {
		return c, nil
	}
	if !strings.HasSuffix(name, ".json") {
		var names []string
		for n := range configs {
			names = append(names, n)
		}
		slices.Sort(names)
		return Config{}, fmt.Errorf("no configuration %q; there are %s, and files that end in .json", name,
			strings.Join(names, ", "))
	}
	text, err := inputfile.Read(name)
	if err != nil {
		return Config{}, err
	}
	c := Config{Theta: 1e4, Eps: 1e-5}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("%s: %w", name, err)
	}
	if c.KVHeads == 0 {
		c.KVHeads = c.Heads
	}
	derived := c.HeadDim == 0 && c.Heads > 0
	if derived {
		c.HeadDim = c.Emb / c.Heads
	}
	c.Biases = c.Biases || c.Type == "qwen2"
	c.HeadNorms = c.HeadNorms || c.Type == "qwen3"
	return c, c.check(name, derived)
}

// check says which number of a configuration makes no model. The width of heads may be derived from other sizes.
func (c *Config) check(name string, derived bool) error {
	const most = 1 << 20
	for _, size := range []struct {
		name  string
		value int
	}{{"num_hidden_layers", c.Layers}, {"hidden_size", c.Emb}, {"num_attention_heads", c.Heads},
		{"num_key_value_heads", c.KVHeads}, {"head_dim", c.HeadDim}, {"intermediate_size", c.Hidden},
		{"vocab_size", c.Vocab}} {
		if size.value < 1 || size.value > most {
			return fmt.Errorf("%s: %s is %d, want 1 to %d", name, size.name, size.value, most)
		}
	}
	for _, number := range []struct {
		name            string
		value, from, to float64
	}{{"rope_theta", c.Theta, 1, 1e12}, {"rms_norm_eps", c.Eps, 0, 1}} {
		if !(number.value >= number.from && number.value <= number.to) {
			return fmt.Errorf("%s: %s is %g, want %g to %g", name, number.name, number.value, number.from, number.to)
		}
	}
	switch {
	case c.Layers > 1024:
		return fmt.Errorf("%s: %d layers, want at most 1024", name, c.Layers)
	case derived && c.Emb%c.Heads != 0:
		return fmt.Errorf("%s: a hidden_size of %d cannot be shared by %d heads, and there is no head_dim", name, c.Emb, c.Heads)
	case c.Heads%c.KVHeads != 0:
		return fmt.Errorf("%s: %d heads cannot share %d heads of keys and values", name, c.Heads, c.KVHeads)
	case c.HeadDim%2 != 0:
		return fmt.Errorf("%s: heads are %d wide, rotary positions want pairs", name, c.HeadDim)
	}
	return nil
}
