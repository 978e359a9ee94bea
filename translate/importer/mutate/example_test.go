package mutate_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/go-acap/acap/translate/importer/mutate"
)

// The same random numbers give the same changes.
func ExampleFile() {
	text := []byte("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }")
	one := mutate.File(rand.New(rand.NewPCG(1, 2)), "f.mlir", text)
	again := mutate.File(rand.New(rand.NewPCG(1, 2)), "f.mlir", text)
	fmt.Println(string(one) == string(again), string(one) == string(text))
	// Output: true false
}
