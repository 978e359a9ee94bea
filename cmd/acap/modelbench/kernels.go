package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/kerneltime"
)

// kernelFigures are what bench-model prints of a kernel, for one run of the model. The time is that of all threads
// together.
type kernelFigures struct {
	Name    string  `json:"name"`
	What    string  `json:"what"`
	Runs    float64 `json:"runs"` // of this kernel and equal ones
	Seconds float64 `json:"seconds"`
	Share   float64 `json:"share"`            // of the time of all kernels
	FLOPS   float64 `json:"flops_per_second"` // on one thread; a multiplication and an addition are two operations
	Bytes   float64 `json:"bytes_per_second"` // on one thread, each element once
}

// timeKernels fills in what kernels take, in a program of kernels that take the time.
func (b *modelBench) timeKernels() error {
	module, err := b.module()
	if err != nil {
		return err
	}
	config := device.Config{}
	if dev, ok := b.dev.(device.Backed); ok {
		config = dev.Config()
	}
	exe, times, err := kerneltime.Compile(context.Background(), module, config)
	if err != nil {
		return inputfile.Named(b.Model, err)
	}
	defer exe.Close()
	results, err := exe.Run(context.Background(), b.inputs) // packs constant operands
	if err != nil {
		return inputfile.Named(b.Model, err)
	}
	times.Reset()
	runs := 0
	for start := time.Now(); runs == 0 || time.Since(start).Seconds() < b.seconds*float64(b.rounds); runs++ {
		if err := exe.RunInto(context.Background(), b.inputs, results); err != nil {
			return inputfile.Named(b.Model, err)
		}
	}
	list := times.List()
	all := 0.
	for _, k := range list {
		all += k.Time.Seconds()
	}
	for _, k := range list {
		a, took := k.Account, k.Time.Seconds()
		b.Kernels = append(b.Kernels, kernelFigures{Name: k.Name, What: a.What, Runs: float64(k.Runs) / float64(runs),
			Seconds: took / float64(runs), Share: took / all, FLOPS: float64(k.Runs) * float64(2*a.MACs+a.Work) / took,
			Bytes: float64(k.Runs) * float64(a.BytesIn+a.BytesOut) / took})
	}
	return nil
}

// printKernels writes a table of kernels, if there are any.
func printKernels(w io.Writer, list []kernelFigures) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-24s %-14s %6s %12s %7s %10s %8s\n", "kernel", "", "runs", "ms, threads", "share", "GFLOP/s", "GB/s")
	for _, k := range list {
		fmt.Fprintf(w, "%-24s %-14s %6.3g %12.4f %6.1f%% %10.1f %8.1f\n", k.Name, k.What, k.Runs, 1e3*k.Seconds, 1e2*k.Share, k.FLOPS/1e9, k.Bytes/1e9)
	}
	fmt.Fprintln(w, "Times are those of all threads together, and rates those of one. Kernels that are equal are one line.")
}
