package weights_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/llm/weights"
	"github.com/go-acap/acap/tensor/gguf"
)

// A weight has a shape and a stored form that are known before its bytes are read; a row is looked up without the rest.
func ExampleOpenGGUF() {
	path, remove := llmtest.Temporary(llmtest.Small)
	defer remove()
	f, err := gguf.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	d, err := architecture.FromGGUF(f)
	if err != nil {
		log.Fatal(err)
	}
	w, err := weights.OpenGGUF(f, d)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	const name = "token_embd.weight"
	bytes, _, mapped := w.Held(name)
	fmt.Println(w.Shape(name), bytes, "bytes, in the file:", mapped)
	lookup, err := w.Lookup(name)
	if err != nil {
		log.Fatal(err)
	}
	row := make([]float32, w.Shape(name)[1])
	fmt.Println(lookup([]int{7}, row))
	fmt.Println(w.Shape("blk.2.attn_q.weight")) // the model has two layers
	// Output:
	// [320 64] 81920 bytes, in the file: true
	// <nil>
	// []
}
