package main

import (
	"context"
	"fmt"
	"io"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// shapes takes the mean of sequences of eight lengths, then of the same in buckets of four.
func shapes(w io.Writer, dev *acap.Array) error {
	runtime := lazy.For(dev)
	for n := 1; n <= 8; n++ {
		x := tensor.Ones(n).To(dev)
		if err := lazy.Sync(context.Background(), x.Exp().Mean()); err != nil {
			return err
		}
	}
	all := runtime.WhyRecompiled()
	fmt.Fprintln(w, len(all), "programs; the last one:")
	fmt.Fprint(w, all[len(all)-1:])

	runtime.ResetMetrics()
	for n := 1; n <= 8; n++ {
		padding := (n+3)/4*4 - n
		x := tensor.Ones(n).ConstantPadNd([]int{0, padding}).To(dev)
		mask := tensor.Ones(n).ConstantPadNd([]int{0, padding}).To(dev)
		mean := x.Exp().Mul(mask).Sum().Div(mask.Sum())
		fmt.Fprintf(w, "%.4f ", mean.Item())
	}
	fmt.Fprintln(w, "\nprograms for two buckets:", runtime.Metrics().CompiledPrograms)
	return nil
}
