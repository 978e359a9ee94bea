package main

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/tensortext"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/device/quantize"
	"github.com/go-acap/acap/mlir"
)

// int8Runs is how many runs of each program are timed.
const int8Runs = 31

// calibration takes the ranges of a model's products from the files of -calibrate, or from the inputs.
// The host computes them in f32, whatever the program then runs on and computes in. The flags read the files.
func calibration(ctx context.Context, module *mlir.Operation, inputs []*buf.Buffer, flags *commandline.Inputs, files list) (*quantize.Calibration, error) {
	f, err := compiler.EntryOf(module)
	if err != nil {
		return nil, err
	}
	samples, takes := [][]*buf.Buffer{inputs}, len(f.Body().Args)
	switch n := len(files); {
	case n == 0 && len(inputs) < takes:
		return nil, commandline.Errorf("-int8 takes ranges from inputs: give some by -calibrate FILE.npy")
	case n > 0 && (takes == 0 || n%takes != 0):
		return nil, commandline.Errorf("-calibrate: %d files are no samples of %d inputs each", n, takes)
	case n > 0:
		samples = nil
		for i := 0; i < n; i += takes {
			sample, err := flags.Read("", files[i:i+takes])
			if err != nil {
				return nil, err
			}
			samples = append(samples, sample)
		}
	}
	return quantize.Calibrate(ctx, host.Device(), module, samples)
}

// quantized compiles a module with products of bytes, and prints how it differs from the module as it is.
func (o *runFlags) quantized(ctx context.Context, dev device.Device, module *mlir.Operation, inputs []*buf.Buffer) (device.Executable, error) {
	c, err := calibration(ctx, module, inputs, &o.inputs, o.calibrate)
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
	result, err := quantize.Compare(ctx, exact, exe, inputs, int8Runs)
	if err != nil {
		exe.Close()
		return nil, err
	}
	if o.compared = newCompared(len(c.Sites), result); !o.json {
		fmt.Fprintf(stdout, "%d products of bytes\n%v\n", len(c.Sites), result)
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

// compared is a [quantize.Comparison] in JSON.
type compared struct {
	Products    int              `json:"products"`
	Worst       tensortext.Float `json:"largest_error"`
	RMS         tensortext.Float `json:"root_mean_square_error"`
	Largest     tensortext.Float `json:"largest_magnitude"`
	Same        int              `json:"rows_with_same_largest"`
	Rows        int              `json:"rows"`
	Int8Seconds float64          `json:"int8_seconds"`
	F32Seconds  float64          `json:"f32_seconds"`
	Speedup     float64          `json:"speedup"`
}

func newCompared(products int, c *quantize.Comparison) *compared {
	return &compared{products, tensortext.Float(c.Worst), tensortext.Float(c.RMS), tensortext.Float(c.Largest), c.Same, c.Rows,
		c.Quick.Seconds(), c.Exact.Seconds(), c.Speedup()}
}
