package main

import (
	"context"
	"fmt"
	"io"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// baked draws random numbers, at several rates, and takes rows by number.
func baked(w io.Writer, dev *acap.Array) error {
	ctx, runtime := context.Background(), lazy.For(dev)
	x := tensor.Ones(8).To(dev)
	var drawn []*tensor.Tensor
	for range 5 {
		y := x.Dropout(0.5, true)
		if err := lazy.Sync(ctx, y); err != nil {
			return err
		}
		drawn = append(drawn, y)
	}
	fmt.Fprintln(w, "five steps of dropout, programs:", runtime.Metrics().CompiledPrograms, "differ:", drawn[0].Ne(drawn[1]).Any().Item() == 1)

	runtime.ResetMetrics()
	for i := range 5 {
		if err := lazy.Sync(ctx, x.Dropout(0.1*float64(i+1), true)); err != nil {
			return err
		}
	}
	fmt.Fprintln(w, "programs with other rates:", runtime.Metrics().CompiledPrograms)

	runtime.ResetMetrics()
	table := tensor.Arange(32).View([]int{8, 4}).To(dev)
	for row := range 8 {
		if err := lazy.Sync(ctx, table.Select(0, row).Neg()); err != nil {
			return err
		}
	}
	all := runtime.WhyRecompiled()
	fmt.Fprint(w, all[len(all)-1:])
	fmt.Fprintln(w, "eight rows, programs:", runtime.Metrics().CompiledPrograms)
	return nil
}
