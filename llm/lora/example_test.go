package lora_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/tensor/safetensors"
)

// An adapter of rank 1 for one weight, as PEFT writes it, changes what a model says: not at the scale 0.
func Example() {
	dir, err := os.MkdirTemp("", "lora")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	model, adapter := filepath.Join(dir, "model"), filepath.Join(dir, "adapter")
	if err := llmtest.WriteFolder(model, llmtest.Small); err != nil {
		log.Fatal(err)
	}
	if err := writeAdapter(adapter, "model.layers.1.mlp.down_proj", llmtest.Small.Width, llmtest.Small.Hidden); err != nil {
		log.Fatal(err)
	}
	likelihood := func(o llm.LoadOptions) (sum float64) {
		o.Context = 64
		m, err := llm.Load(model, o)
		if err != nil {
			log.Fatal(err)
		}
		defer m.Close()
		list, err := m.Likelihoods(context.Background(), []int{1, 100, 101, 102, 103}, 0)
		if err != nil {
			log.Fatal(err)
		}
		for _, p := range list {
			sum += p.Logprob
		}
		return sum
	}
	plain := likelihood(llm.LoadOptions{})
	for _, scale := range []float64{0, 0.5, 1} {
		change := likelihood(llm.LoadOptions{Adapters: []string{adapter}, AdapterScales: []float64{scale}}) - plain
		fmt.Printf("scale %v: changed %v\n", scale, change != 0)
	}
	// Output:
	// scale 0: changed false
	// scale 0.5: changed true
	// scale 1: changed true
}

// writeAdapter writes a pair of matrices for a weight of out rows and in columns.
func writeAdapter(dir, module string, out, in int) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	config := []byte(`{"peft_type": "LORA", "r": 1, "lora_alpha": 1}`)
	if err := os.WriteFile(filepath.Join(dir, "adapter_config.json"), config, 0o644); err != nil {
		return err
	}
	down, up := make([]float32, in), make([]float32, out)
	for i := range down {
		down[i] = float32(i%3) - 1
	}
	for i := range up {
		up[i] = float32(i%5) - 2
	}
	return safetensors.WriteFile(filepath.Join(dir, "adapter_model.safetensors"), []safetensors.Tensor{
		{Name: "base_model.model." + module + ".lora_A.weight", Data: buf.From(down, 1, in)},
		{Name: "base_model.model." + module + ".lora_B.weight", Data: buf.From(up, out, 1)},
	}, nil)
}
