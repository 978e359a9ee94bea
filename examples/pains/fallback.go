package main

import (
	"context"
	"fmt"
	"io"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// fallback decomposes a matrix in the middle of a program.
func fallback(w io.Writer, dev *acap.Array) error {
	x := tensor.Of([]float32{2, 1, 1, 2}, 2, 2).To(dev)
	y := x.MatMul(x).Cholesky().ReLU()
	e, err := lazy.Explain(y) // nothing runs
	if err != nil {
		return err
	}
	for _, k := range e.Kernels {
		fmt.Fprintf(w, "%-12s %-12v %v %s\n", k.Kind, k.Calls, k.Where, k.Problem)
	}
	if err := lazy.Sync(context.Background(), y); err != nil {
		return err
	}
	fmt.Fprintln(w, "ran on the host:", lazy.For(dev).Metrics().Fallbacks)
	return nil
}
