package explorer_test

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy/explorer"
	"github.com/go-acap/acap/tensor"
)

// The program of a pending tensor, and which of its calls are in its first kernel.
func ExamplePending() {
	x := tensor.Ones(4, 4).To(acap.Device())
	e, err := explorer.Pending("square", x.MatMul(x).ReLU())
	if err != nil {
		panic(err)
	}
	defer e.Close()
	program, err := e.Part(context.Background(), "program")
	if err != nil {
		panic(err)
	}
	fmt.Println(program.(*explorer.Compiled).Kernels[0].Calls)
	// Output: [1 2]
}
