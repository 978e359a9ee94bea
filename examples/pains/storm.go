package main

import (
	"context"
	"fmt"
	"io"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// storm scales by a Go number that changes, and sums along a dimension that does.
func storm(w io.Writer, dev *acap.Array) error {
	ctx, runtime := context.Background(), lazy.For(dev)
	x := tensor.Ones(4, 4, 4).To(dev)
	for step := range 1000 {
		rate := 0.1 / float64(step+1)
		if err := lazy.Sync(ctx, x.Cos().MulScalar(rate)); err != nil {
			return err
		}
	}
	fmt.Fprint(w, runtime.WhyRecompiled())
	fmt.Fprintln(w, "programs for a thousand rates:", runtime.Metrics().CompiledPrograms)

	for dim := range 3 {
		if err := lazy.Sync(ctx, x.Cos().Softmax(dim)); err != nil {
			return err
		}
	}
	all := runtime.WhyRecompiled()
	fmt.Fprint(w, all[len(all)-2:])
	return nil
}
