package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device/acap/sweep"
	"github.com/go-acap/acap/device/acap/sweep/sweepplot"
)

func init() {
	register(command{"sweep", "map and time a model on many machines", sweepModel})
}

func sweepModel(args []string) error {
	var o sweep.Flags
	f := newFlags("sweep", "MODEL [flags]")
	o.Register(f)
	model, err := parseOne(f, args)
	if err != nil {
		return err
	}
	kernels, err := modelfile.Kernels(model, o.Inputs)
	if err != nil {
		return err
	}
	grid, err := o.Grid()
	if err != nil {
		return err
	}
	points, err := grid.Evaluate(0, grid.Len(), kernels, countMachines(grid.Len()))
	if err != nil {
		return err
	}
	sweep.MarkPareto(points)
	if o.Plot != "" {
		if err := sweepplot.Plot(points, model+": time against "+o.Cost, o.Cost, o.Plot); err != nil {
			return err
		}
	}
	if o.JSON {
		return json.NewEncoder(stdout).Encode(points)
	}
	return sweep.WriteCSV(stdout, grid.Names(), points)
}

// countMachines counts on a terminal, and does nothing elsewhere.
func countMachines(of int) func(done int) {
	info, err := os.Stderr.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return func(done int) {
		fmt.Fprintf(os.Stderr, "\r%d of %d machines", done, of)
		if done == of {
			fmt.Fprintln(os.Stderr)
		}
	}
}
