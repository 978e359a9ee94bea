package modelfile_test

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/modelfile"
)

// The name says what a file holds.
func ExampleKindOf() {
	for _, name := range []string{"net.onnx", "Net.PT", "net.acap", "notes.txt"} {
		fmt.Println(name, modelfile.KindOf(name) != modelfile.Other, modelfile.IsArtifact(name))
	}
	// Output:
	// net.onnx true false
	// Net.PT true false
	// net.acap true true
	// notes.txt false false
}

// A difference is told with its place.
func ExampleCompare() {
	got, want := buf.From([]float32{1, 2.5}, 2), buf.From([]float32{1, 2}, 2)
	fmt.Println(modelfile.Compare(got, want, 0.5, 0))
	fmt.Println(modelfile.Compare(got, want, 1e-3, 1e-4))
	// Output:
	// <nil>
	// 1 of 2 elements differ, by at most 0.5; first [1]: got 2.5, expected 2
}
