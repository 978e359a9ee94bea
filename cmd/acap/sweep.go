package main

import (
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/go-acap/acap/cmd/acap/commandline"
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
	var inputs commandline.Inputs
	inputs.PictureFlag(f)
	inputs.ShapeFlag(f, "")
	model, err := parseOne(f, args)
	if err != nil {
		return err
	}
	if err := commandline.CheckPicture("plot", o.Plot); err != nil {
		return err
	}
	grid, err := o.Grid()
	if err != nil {
		return commandline.Wrong(err)
	}
	var at atomic.Value
	at.Store(sweep.Progress{})
	beat.follows(func() string {
		p := at.Load().(sweep.Progress)
		return fmt.Sprintf("%d of %d machines, %d kernels mapped,", p.Machines, grid.Len(), p.Mapped)
	})
	inputs.Files = o.Inputs
	module, err := inputs.Module(model)
	if err != nil {
		return err
	}
	kernels, err := modelfile.Kernels(model, module)
	if err != nil {
		return err
	}
	points, err := grid.Evaluate(0, grid.Len(), kernels, func(p sweep.Progress) { at.Store(p) })
	if err != nil {
		return err
	}
	_, cost, err := sweep.Cost(o.Cost)
	if err != nil {
		return err
	}
	sweep.MarkPareto(points, cost)
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
