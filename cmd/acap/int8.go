package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/quantize"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// int8Runs is how many runs of each program are timed.
const int8Runs = 31

// calibration takes the ranges of a model's products from the files of -calibrate, or from the inputs.
func calibration(ctx context.Context, dev device.Device, module *mlir.Operation, inputs []*buf.Buffer, files list) (*quantize.Calibration, error) {
	f, err := compiler.EntryOf(module)
	if err != nil {
		return nil, err
	}
	samples, takes := [][]*buf.Buffer{inputs}, len(f.Body().Args)
	switch n := len(files); {
	case n == 0 && len(inputs) < takes:
		return nil, errors.New("-int8 takes ranges from inputs: give some by -calibrate FILE.npy")
	case n > 0 && (takes == 0 || n%takes != 0):
		return nil, fmt.Errorf("-calibrate: %d files are no samples of %d inputs each", n, takes)
	case n > 0:
		samples = nil
		for i := 0; i < n; i += takes {
			sample, err := modelfile.Inputs("", files[i:i+takes])
			if err != nil {
				return nil, err
			}
			samples = append(samples, sample)
		}
	}
	return quantize.Calibrate(ctx, dev, module, samples)
}

// quantized compiles a module with products of bytes, and prints how it differs from the module as it is.
func (o *runFlags) quantized(ctx context.Context, dev device.Device, module *mlir.Operation, inputs []*buf.Buffer) (device.Executable, error) {
	c, err := calibration(ctx, dev, module, inputs, o.calibrate)
	if err != nil {
		return nil, err
	}
	exact, err := inF32(dev).Compile(ctx, module)
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

// inF32 is the device without mixed precision and packed weights, for what is compared with.
func inF32(dev device.Device) device.Device {
	if d, ok := dev.(device.Configurable); ok {
		if backed, ok := dev.(device.Backed); ok && !backed.Config().IsZero() {
			return d.With(backed.Config().WithAutocast(dtype.Invalid).WithWeights(dtype.Plain))
		}
	}
	return dev
}
