package fit_test

import (
	"fmt"

	"github.com/go-acap/acap/llm/fit"
	"github.com/go-acap/acap/llm/llmtest"
)

// A model is asked about before it is loaded.
func Example() {
	path, remove := llmtest.Temporary(llmtest.Small)
	defer remove()
	r, err := fit.Model(path, fit.Options{Memory: 8 << 30, Length: 1024})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.What)
	fmt.Println(r.Fits, r.Longest)
	// Output:
	// llama, 2 layers, 64 wide, 320 tokens in the vocabulary
	// true 2048
}
