package main

import (
	"context"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/mlir"
)

// checker is a device that runs every kernel natively and tile by tile.
func checker(dev device.Device) (*tileexact.Checker, error) {
	array, ok := dev.(*acap.Array)
	if !ok {
		return nil, commandline.Errorf("-tile-exact is for the acap device")
	}
	return &tileexact.Checker{Machine: array.Machine(), Native: native.Compile, Config: array.Config()}, nil
}

// tileExact runs a model with every kernel both native and tile by tile. It is an
// error when one of them differs.
func (o *runFlags) tileExact(model string, dev device.Device, module *mlir.Operation,
	inputs []*buf.Buffer) error {
	c, err := checker(dev)
	if err != nil {
		return err
	}
	if err := runChecked(model, c, module, inputs); err != nil {
		return err
	}
	return c.Report(stdout, model, true)
}

// runChecked runs a model on a checker, which then knows of every kernel.
func runChecked(model string, c *tileexact.Checker, module *mlir.Operation, inputs []*buf.Buffer) error {
	ctx := context.Background()
	exe, err := c.Compile(ctx, module)
	if err != nil {
		return inputfile.Named(model, err)
	}
	defer exe.Close()
	if _, err := exe.Run(ctx, inputs); err != nil {
		return inputfile.Named(model, err)
	}
	return nil
}
