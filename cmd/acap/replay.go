package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/lazy/bundle"
	"github.com/go-acap/acap/lazy/replay"
	"github.com/go-acap/acap/mlir"
)

func init() {
	register(command{"replay", "run what lazy.Record wrote, or a model", func(args []string) error { return again("replay", args) }})
	register(command{"bisect", "find the call that gives other numbers than the reference", func(args []string) error { return again("bisect", args) }})
	register(command{"reduce", "write the smallest program that gives other numbers than the reference",
		func(args []string) error { return again("reduce", args) }})
}

// replayFlags are the flags of replay, bisect and reduce.
type replayFlags struct {
	deviceFlags
	inputs commandline.Inputs
	output string
	json   bool
	tol    replay.Tolerance
}

// again runs one of the three commands.
func again(name string, args []string) error {
	var o replayFlags
	f := newFlags(name, "FILE [flags]")
	o.deviceFlags.Flags(f)
	o.inputs.Flags(f, "an input `file` of a model, .npy, .safetensors, .png or .jpg; repeat for more", commandline.Drawn)
	f.BoolVar(&o.json, "json", false, "print JSON")
	if name != "replay" {
		f.Float64Var(&o.tol.Relative, "rtol", 1e-3, "relative `difference` that is allowed")
		f.Float64Var(&o.tol.Absolute, "atol", 1e-4, "absolute `difference` that is allowed")
	}
	if name == "reduce" {
		f.StringVar(&o.output, "output", "reduced.acap", "the `file` to write")
	}
	path, err := parseOne(f, args)
	if err != nil {
		return err
	}
	if err := commandline.CheckFolder("output", o.output); err != nil {
		return err
	}
	if err := checkTolerances(o.tol.Relative, o.tol.Absolute); err != nil {
		return err
	}
	if name != "replay" && o.IsGiven("kernels") {
		return commandline.Errorf("-kernels: %s runs parts of the program, whose kernels differ from the whole program's: find the edited kernel "+
			"that differs by acap run -kernels with one kernel of the text at a time, and -expect", name)
	}
	b, err := o.load(name, path)
	if err != nil {
		return err
	}
	dev, err := o.Open()
	if err != nil {
		return err
	}
	ctx := context.Background()
	switch name {
	case "bisect":
		finding, err := replay.Bisect(ctx, dev, b.Program, b.Inputs, o.tol)
		if err != nil {
			return err
		}
		return o.print(finding)
	case "reduce":
		return o.reduce(ctx, dev, b)
	}
	return o.replay(ctx, dev, b)
}

// load reads a bundle, or a model with its inputs.
func (o *replayFlags) load(name, path string) (*bundle.Bundle, error) {
	if modelfile.KindOf(path) != modelfile.Other && !modelfile.IsBundle(path) {
		inputs, err := o.inputs.Data(path)
		if err != nil {
			return nil, err
		}
		module, err := modelfile.LoadOnce(path, inputs)
		if err != nil {
			return nil, err
		}
		if f := module.Func(compiler.Entry); f != nil && f.Body() != nil && len(f.Body().Args) != len(inputs) {
			return nil, fmt.Errorf("%s takes %d inputs, and %d were given: give each by -input or -shape", path, len(f.Body().Args), len(inputs))
		}
		return &bundle.Bundle{Program: module, Inputs: inputs}, nil
	}
	if o.inputs.Given() {
		return nil, fmt.Errorf("%s has its own inputs: -input and -shape are for models", path)
	}
	return bundle.Read(path)
}

func (o *replayFlags) replay(ctx context.Context, dev device.Device, b *bundle.Bundle) error {
	exe, err := dev.Compile(ctx, b.Program)
	if err != nil {
		return err
	}
	defer exe.Close()
	start := time.Now()
	outputs, err := exe.Run(ctx, b.Inputs)
	if err != nil {
		return err
	}
	run := runFlags{json: o.json}
	if !o.json && b.About.Format > 0 {
		fmt.Fprintf(stdout, "recorded %s on %s with %s (%s)\n", b.About.Time.Format(time.DateTime), b.About.Device,
			b.About.Go, b.About.System)
	}
	return run.print(exe, outputs, time.Since(start))
}

func (o *replayFlags) print(f *replay.Finding) error {
	if o.json {
		return json.NewEncoder(stdout).Encode(map[string]any{"finding": f})
	}
	if f == nil {
		fmt.Fprintln(stdout, "all results agree with the reference")
		return nil
	}
	fmt.Fprintln(stdout, f)
	fmt.Fprint(stdout, f.Kernels)
	return nil
}

func (o *replayFlags) reduce(ctx context.Context, dev device.Device, b *bundle.Bundle) error {
	r, err := replay.Reduce(ctx, dev, b.Program, b.Inputs, o.tol)
	if err != nil {
		return err
	}
	if r == nil {
		return o.print(nil)
	}
	small := bundle.Bundle{Program: r.Program, Inputs: r.Inputs, About: b.About}
	small.About.Note = r.Finding.String()
	if err := small.Write(o.output); err != nil {
		return err
	}
	if err := o.print(r.Finding); err != nil || o.json {
		return err
	}
	var bytes int64
	for _, in := range r.Inputs {
		bytes += int64(len(in.Bytes()))
	}
	fmt.Fprintf(stdout, "%s: %s of inputs\n", o.output, buf.Size(bytes))
	return mlir.Print(stdout, r.Program, mlir.PrintOptions{})
}
