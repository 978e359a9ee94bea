package main

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/fault"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/mlir"
)

// runFaults maps a model around the tiles that are declared dead, runs it with
// the other faults, and names what it finds.
func (o *runFlags) runFaults(model string, dev device.Device, module *mlir.Operation,
	inputs []*buf.Buffer) error {
	array, ok := dev.(*acap.Array)
	if !ok {
		return commandline.Errorf("-fault is for the acap device")
	}
	b, err := fault.Parse(o.faults)
	if err != nil {
		return err
	}
	m := *array.Machine()
	m.Grid.Dead = append(append([]machine.Coord(nil), m.Grid.Dead...), b.Declared...)
	if err := m.Check(); err != nil {
		return err
	}
	if err := b.Check(&m); err != nil {
		return err
	}
	if b.Flips {
		c := &tileexact.Checker{Machine: &m, Native: native.Compile, Faults: b.Injected, Config: array.Config()}
		return flipBits(model, c, module, inputs)
	}
	exe, err := acap.New(&m).With(array.Config()).Compile(context.Background(), module)
	if err != nil {
		return inputfile.Named(model, err)
	}
	defer exe.Close()
	r := acap.ReportOf(exe).Layers() // faults name tiles of the whole array
	fmt.Fprint(stdout, r.Summary())
	fmt.Fprintln(stdout)
	stuck := 0
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && k.Choice != nil {
			if fault.Stops(stdout, k, b.Injected) {
				stuck++
			}
		}
	}
	if stuck > 0 {
		return fmt.Errorf("%d kernels do not finish", stuck)
	}
	return r.Err()
}

// flipBits runs a model tile by tile with bits that flip, and names the kernels
// whose result they change.
func flipBits(model string, c *tileexact.Checker, module *mlir.Operation, inputs []*buf.Buffer) error {
	if err := runChecked(model, c, module, inputs); err != nil {
		return err
	}
	flips, err := c.ReportFlips(stdout, model)
	if err == nil && flips == 0 {
		return commandline.Errorf("-fault: nothing arrives where a bit would flip")
	}
	return err
}
