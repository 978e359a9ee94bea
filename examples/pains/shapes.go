package main

import (
	"context"
	"fmt"
	"io"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// shapes takes the mean of sequences of eight lengths, then of the same in buckets, and then by a
// function that is recorded once for each length.
func shapes(w io.Writer, dev *acap.Array) error {
	ctx, runtime := context.Background(), lazy.For(dev)
	for n := 1; n <= 8; n++ {
		x := tensor.Ones(n).To(dev)
		if err := lazy.Sync(ctx, x.Exp().Mean()); err != nil {
			return err
		}
	}
	all := runtime.WhyRecompiled()
	fmt.Fprintln(w, len(all), "programs; the last one:")
	fmt.Fprint(w, all[len(all)-1:])

	runtime.ResetMetrics()
	for n := 1; n <= 8; n++ {
		x := tensor.Ones(n).To(dev).Dynamic(0, 4, 8)
		fmt.Fprintf(w, "%.4f ", x.Exp().Mean().Item())
	}
	m := runtime.Metrics()
	fmt.Fprintf(w, "\nprograms for two buckets: %d, with %d of %d elements padding\n", m.CompiledPrograms,
		m.Counters["PaddingElements"], m.Counters["BucketElements"])

	mean := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].Exp().Mean()} }).Limit(4)
	for n := 9; n <= 16; n++ {
		if _, err := mean.Call(ctx, tensor.Ones(n).To(dev)); err != nil {
			fmt.Fprintln(w, err)
			break
		}
	}
	return nil
}
