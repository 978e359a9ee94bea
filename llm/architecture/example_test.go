package architecture_test

import (
	"fmt"

	"github.com/go-acap/acap/llm/architecture"
)

// A model of Hugging Face says in config.json how it computes; what the file leaves out is as transformers takes it.
func ExampleFromConfig() {
	d, _, err := architecture.FromConfig([]byte(`{"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64,
		"num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 96, "vocab_size": 320,
		"max_position_embeddings": 2048, "rms_norm_eps": 1e-5, "tie_word_embeddings": false, "hidden_act": "silu"}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(d.Architecture, d.Layers, d.HeadWidth, d.Norm, d.Positions, d.Gated)
	_, _, err = architecture.FromConfig([]byte(`{"model_type": "lama"}`))
	fmt.Println(err != nil)
	// Output:
	// llama 2 16 rms rotary true
	// true
}
