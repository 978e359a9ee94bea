package main

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/quantize"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/buf"
)

// int8Runs is how many runs of each program are timed.
const int8Runs = 31

// quantized compiles a module with products of bytes, whose ranges come from the files of -calibrate
// or from the inputs, and prints how it differs from the module as it is.
func (o *runFlags) quantized(ctx context.Context, dev device.Device, module *mlir.Operation, inputs []*buf.Buffer) (device.Executable, error) {
	samples := [][]*buf.Buffer{inputs}
	if n := len(o.calibrate); n > 0 {
		if len(inputs) == 0 || n%len(inputs) != 0 {
			return nil, fmt.Errorf("-calibrate: %d files are no samples of %d inputs each", n, len(inputs))
		}
		samples = nil
		for i := 0; i < n; i += len(inputs) {
			sample, err := modelfile.Inputs("", o.calibrate[i:i+len(inputs)])
			if err != nil {
				return nil, err
			}
			samples = append(samples, sample)
		}
	}
	c, err := quantize.Calibrate(ctx, dev, module, samples)
	if err != nil {
		return nil, err
	}
	exact, err := dev.Compile(ctx, module)
	if err != nil {
		return nil, err
	}
	defer exact.Close()
	exe, err := dev.Compile(ctx, c.Quantize())
	if err != nil {
		return nil, err
	}
	compared, err := quantize.Compare(ctx, exact, exe, inputs, int8Runs)
	if err != nil {
		exe.Close()
		return nil, err
	}
	if !o.json {
		fmt.Fprintf(stdout, "%d products of bytes\n%v\n", len(c.Sites), compared)
	}
	return exe, nil
}
