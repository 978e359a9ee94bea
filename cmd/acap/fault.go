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
	"github.com/go-acap/acap/device/acap/deadlock"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/report"
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
	if err := m.Validate(); err != nil {
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
			if tryFaults(k, b.Injected) {
				stuck++
			}
		}
	}
	if stuck > 0 {
		return fmt.Errorf("%d kernels do not finish", stuck)
	}
	return r.Err()
}

// tryFaults runs one kernel's program healthy and broken; it reports whether the broken run fails to finish.
func tryFaults(k *report.Kernel, faults []event.Fault) bool {
	healthy, err := k.Events(event.Options{})
	if err != nil {
		fmt.Fprintf(stdout, "%s: %v\n", k.Name, err)
		return false
	}
	p, err := k.Choice.Program()
	if err != nil {
		return false
	}
	used := event.Concern(p, faults)
	if len(used) == 0 {
		fmt.Fprintf(stdout, "%s: does not use what is broken\n", k.Name)
		return false
	}
	run, err := k.Events(event.Options{Faults: used})
	if err != nil {
		fmt.Fprintf(stdout, "%s: %v\n", k.Name, err)
		return false
	}
	switch {
	case run.Finished && run.Seconds == healthy.Seconds:
		fmt.Fprintf(stdout, "%s: %s, as without the fault\n", k.Name, report.Duration(run.Seconds))
	case run.Finished:
		fmt.Fprintf(stdout, "%s: %s instead of %s\n", k.Name, report.Duration(run.Seconds), report.Duration(healthy.Seconds))
	default:
		fmt.Fprintf(stdout, "%s: %v\n", k.Name, deadlock.Explain(p, run))
	}
	for _, f := range event.Diagnose(p, healthy, run) {
		fmt.Fprintf(stdout, "  found: %s %s\n", f.Agent.Describe(p), f.What)
	}
	return !run.Finished
}

// flipBits runs a model tile by tile with bits that flip, and names the kernels
// whose result they change.
func flipBits(model string, c *tileexact.Checker, module *mlir.Operation, inputs []*buf.Buffer) error {
	if err := runChecked(model, c, module, inputs); err != nil {
		return err
	}
	wrong, flips, walked := 0, 0, 0
	for _, k := range c.Kernels {
		if k.Runs == 0 {
			continue
		}
		fmt.Fprintln(stdout, k)
		flips += k.Flips
		if k.Skipped == "" {
			walked++
		}
		if k.Err != nil || k.Changed > 0 {
			wrong++
		}
		for _, at := range k.Wrong {
			fmt.Fprintf(stdout, "  found: core (%d, %d) gives wrong results\n", at.Col, at.Row)
		}
	}
	switch {
	case walked == 0:
		return fmt.Errorf("%s: no kernel was walked tile by tile", model)
	case wrong > 0:
		return fmt.Errorf("%d kernels give wrong results", wrong)
	case flips == 0:
		return commandline.Errorf("-fault: nothing arrives where a bit would flip")
	}
	return nil
}
