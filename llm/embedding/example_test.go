package embedding_test

import (
	"fmt"

	"github.com/go-acap/acap/llm/embedding"
)

// Vectors of models that were trained for that can be shortened.
func ExampleShortened() {
	fmt.Println(embedding.Shortened([]float32{3, 4, 12}, 2))
	fmt.Println(embedding.Shortened([]float32{3, 4, 12}, 3)) // as many numbers as there are: nothing changes
	// Output:
	// [0.6 0.8]
	// [3 4 12]
}
