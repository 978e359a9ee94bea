package main

import (
	"context"
	"fmt"
	"io"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// memory runs a loop without a barrier, and asks for more than is allowed.
func memory(w io.Writer, dev *acap.Array) error {
	runtime := lazy.For(dev)
	runtime.MaxPending(0, 1000) // beside the bound that follows from the memory limit
	x := tensor.Ones(64).To(dev)
	y := x
	var most int64
	for range 10_000 {
		y = y.Mul(x).Tanh()
		most = max(most, runtime.Metrics().Gauges["PendingNodes"])
	}
	m := runtime.Metrics()
	fmt.Fprintf(w, "20000 calls, at most %d pending: cut %d times, %d programs\n",
		most, m.Counters["TraceCuts"], m.CompiledPrograms)
	if err := lazy.Sync(context.Background(), y); err != nil {
		return err
	}

	defer lazy.MemoryLimit(lazy.MemoryLimit(1 << 20)) // as ACAP_MEMORY=1M does
	row, column := tensor.Ones(1, 1024).To(dev), tensor.Ones(1024, 1).To(dev)
	fmt.Fprintln(w, lazy.Sync(context.Background(), row.Add(column)))
	return nil
}
