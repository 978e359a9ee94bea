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

// tracing times 10,000 calls: recording them, compiling them, and the second run.
func tracing(w io.Writer, dev *acap.Array) error {
	const calls = 10_000
	x := tensor.Ones(16).To(dev)
	step := func() (record, barrier time.Duration, err error) {
		start := time.Now()
		y := x
		for range calls / 2 {
			y = y.Neg().Add(x)
		}
		record = time.Since(start)
		start = time.Now()
		err = lazy.Sync(context.Background(), y)
		return record, time.Since(start), err
	}
	for _, run := range []string{"first run", "second run"} {
		record, barrier, err := step()
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: recording takes %v a call, the barrier %v\n", run, record/calls, barrier.Round(time.Microsecond))
	}
	m := lazy.For(dev).Metrics()
	fmt.Fprintf(w, "compiled %d, found %d\n", m.CompiledPrograms, m.CachedPrograms)
	return nil
}
