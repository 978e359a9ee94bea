package llmtest_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
)

// A model with random weights is read as any other.
func ExampleWriteGGUF() {
	dir, err := os.MkdirTemp("", "llmtest")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "small.gguf")
	if err := llmtest.WriteGGUF(path, llmtest.Small); err != nil {
		fmt.Println(err)
		return
	}
	outline, err := llm.Inspect(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outline.Architecture, outline.Context)
	// Output: llama 2048
}
