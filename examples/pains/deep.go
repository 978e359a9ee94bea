package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// deep records a chain of 15,000 calls, with gradients, and prints and runs it.
func deep(w io.Writer, dev *acap.Array) error {
	x := tensor.Ones(1).To(dev).RequiresGrad()
	y := x
	for range 5_000 {
		y = y.Sin()
	}
	dx := tensor.Grad([]*tensor.Tensor{y.Sum()}, []*tensor.Tensor{x}, nil)[0]
	fmt.Fprintln(w, "lines of MLIR:", strings.Count(string(lazy.GetMLIR(dx)), "\n"))
	if err := lazy.Sync(context.Background(), y, dx); err != nil {
		return err
	}
	fmt.Fprintf(w, "sin 5,000 times: %.4f\n", y.Item())
	return nil
}
