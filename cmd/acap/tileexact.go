package main

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/kernel/native"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/buf"
)

// tileExact runs a model with every kernel both native and tile by tile. It is an
// error when one of them differs.
func (o *runFlags) tileExact(model string, dev device.Device, module *mlir.Operation,
	inputs []*buf.Buffer) error {
	array, ok := dev.(*acap.Array)
	if !ok {
		return fmt.Errorf("-tile-exact is for the acap device")
	}
	c := &tileexact.Checker{Machine: array.Machine(), Native: native.Compile}
	ctx := context.Background()
	exe, err := compiler.CompileWith(ctx, module, c.Backend)
	if err != nil {
		return fmt.Errorf("%s: %w", model, err)
	}
	defer exe.Close()
	if _, err := exe.Run(ctx, inputs); err != nil {
		return fmt.Errorf("%s: %w", model, err)
	}
	wrong, walked := 0, 0
	for _, k := range c.Kernels {
		fmt.Println(k)
		if k.Err != nil {
			wrong++
		} else if k.Skipped == "" && k.Runs > 0 {
			walked++
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%s: %d of %d kernels are wrong tile by tile", model, wrong, len(c.Kernels))
	}
	fmt.Printf("%d of %d kernels walked tile by tile, all as native\n", walked, len(c.Kernels))
	return nil
}
