package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// modes times a product three ways; only those that wait for it are right.
func modes(w io.Writer, dev *acap.Array) error {
	ctx := context.Background()
	x := tensor.Ones(512, 512).To(dev)
	if err := lazy.Sync(ctx, x.MatMul(x)); err != nil { // compiles
		return err
	}
	start := time.Now()
	y := x.MatMul(x)
	fmt.Fprintln(w, "recorded in", time.Since(start))

	start = time.Now()
	flight := lazy.Start(ctx, y) // runs while this goroutine goes on
	fmt.Fprintln(w, "started in", time.Since(start))
	if err := flight.Wait(); err != nil {
		return err
	}
	fmt.Fprintln(w, "done in", time.Since(start))

	e, err := lazy.ExplainAnalyze(ctx, x.MatMul(x))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "one kernel of %d multiply-adds: %v on this machine, %.2f ms predicted for the array\n",
		e.Kernels[0].MACs, e.Measured, 1e3*e.Predicted)
	return nil
}
