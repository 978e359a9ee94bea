package main

import (
	"context"
	"fmt"
	"io"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// storm scales by a rate that changes, first as a Go number, then as a tensor.
func storm(w io.Writer, dev *acap.Array) error {
	ctx := context.Background()
	x := tensor.Ones(4).To(dev)
	for step := range 5 {
		rate := 0.1 / float64(step+1)
		if err := lazy.Sync(ctx, x.Cos().MulScalar(rate)); err != nil {
			return err
		}
	}
	fmt.Fprint(w, lazy.For(dev).WhyRecompiled())

	lazy.For(dev).ResetMetrics()
	for step := range 5 {
		rate := tensor.Scalar(float32(0.1 / float64(step+1))).To(dev)
		if err := lazy.Sync(ctx, x.Cos().Mul(rate)); err != nil {
			return err
		}
	}
	fmt.Fprintln(w, "compiled for five tensors:", lazy.For(dev).Metrics().CompiledPrograms)
	return nil
}
