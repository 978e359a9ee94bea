package config_test

import (
	"encoding/json"
	"fmt"

	"github.com/go-acap/acap/llm/config"
)

// Files name the same thing in several ways: the first key that is there counts.
func ExampleObject() {
	var file config.Object
	if err := json.Unmarshal([]byte(`{"model_type": "llama", "n_layer": 12, "rope_scaling": {"factor": 8}}`), &file); err != nil {
		panic(err)
	}
	layers, factor := 0, 1.0
	fmt.Println(file.Get(&layers, "num_hidden_layers", "n_layer"), layers)
	fmt.Println(file.Part("rope_scaling").Get(&factor, "factor"), factor)
	fmt.Println(file.Text("model_type"), file.CheckType("config.json", "n_layer", "string"))
	// Output:
	// true 12
	// true 8
	// llama config.json: n_layer is 12, a number; a string is wanted
}
