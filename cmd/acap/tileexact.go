package main

import (
	"context"
	"fmt"

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
	return verdicts(model, c, true)
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

// verdicts prints what became of the kernels that ran: of all, or of those that were
// not walked or are wrong.
func verdicts(what string, c *tileexact.Checker, all bool) error {
	wrong, walked, ran := 0, 0, 0
	for _, k := range c.Kernels {
		if k.Runs == 0 {
			continue
		}
		ran++
		if all || k.Err != nil || k.Skipped != "" {
			fmt.Fprintln(stdout, k)
		}
		if k.Err != nil {
			wrong++
		} else if k.Skipped == "" {
			walked++
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%s: %d of %d kernels are wrong tile by tile", what, wrong, ran)
	}
	if all && walked == 0 {
		return fmt.Errorf("%s: none of %d kernels was walked tile by tile", what, ran)
	}
	fmt.Fprintf(stdout, "%d of %d kernels walked tile by tile, all as native\n", walked, ran)
	return nil
}
