package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/cmd/acap/printable"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/artifact"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/walk"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/npy"
)

func init() {
	register(command{"run", "run a model (.pt, .pt2, .onnx, .mlir or .acap) on given inputs", runModel})
}

type runFlags struct {
	deviceFlags
	profiling
	inputs              commandline.Inputs
	outputs, expect     list
	faults              list
	rtol, atol          float64
	report, json, exact bool
	reported            [len(reportFiles)]string // the files of reportFiles, empty if not asked for
	int8, retention     bool
	calibrate           list
	samples             int
	verify              string

	written int64 // bytes of the inputs
	// Of equal kernels one is mapped: mapped counts the kinds that are mapped, of kinds in all.
	mapped, kinds atomic.Int64
	compared      *compared // of -int8
}

func runModel(args []string) error {
	var o runFlags
	f := newFlags("run", "MODEL [flags]")
	o.deviceFlags.Flags(f)
	o.profiling.flags(f)
	o.inputs.Flags(f, "an input `file`, .npy, .safetensors, .png or .jpg; repeat for more (default: input_N.npy beside the model)", commandline.Drawn)
	f.Var(&o.outputs, "output", "write an output to this `file`, .npy; repeat for more")
	f.Var(&o.expect, "expect", "compare an output with this `file`, .npy: elements, their type and the shape; repeat for more")
	f.Float64Var(&o.rtol, "rtol", 1e-3, "relative `difference` that -expect allows")
	f.Float64Var(&o.atol, "atol", 1e-4, "absolute `difference` that -expect allows")
	f.BoolVar(&o.report, "report", false, "print what the array did")
	for i, file := range reportFiles {
		f.StringVar(&o.reported[i], file.flag, "", file.use)
	}
	f.Var(&o.faults, "fault", "a `fault` that breaks something, to see what comes of it: dead:COL,ROW, declared:COL,ROW, "+
		"slow:COL,FACTOR, drop:COL,ROW,DIR,CHANNEL,AFTER, stall:COL,ROW,DIR,CHANNEL,CYCLES or "+
		"flip:COL,ROW,BIT; DIR is in or out; repeat for more")
	f.BoolVar(&o.exact, "tile-exact", false, "run the array's programs tile by tile, with data, and compare")
	f.BoolVar(&o.retention, "retention", true, "let what passes from launch to launch stay in mem tiles where that is shorter")
	f.IntVar(&o.samples, "samples", 1, "the number of `samples` to report, one after the other; they may pass through stages beside each other")
	f.BoolVar(&o.int8, "int8", false, "multiply bytes by constant weights of bytes, and print error and speed beside f32")
	f.Var(&o.calibrate, "calibrate", "an input `file` from which -int8 takes ranges; repeat for more (default: the inputs)")
	f.StringVar(&o.verify, "verify", "", "run an artifact only if it is signed with the Ed25519 key in this `file` (public, PEM)")
	f.BoolVar(&o.json, "json", false, "print JSON")
	model, err := parseOne(f, args)
	if err != nil {
		return err
	}
	const most = 1 << 20 // each is placed in time, stage by stage
	if o.samples < 1 || o.samples > most {
		return commandline.Errorf("-samples %d: want 1 to %d", o.samples, most)
	}
	stop, err := o.profiling.start()
	if err != nil {
		return err
	}
	defer stop()
	return o.run(model)
}

func (o *runFlags) run(model string) error {
	inputs, err := o.inputs.Data(model)
	if err != nil {
		return err
	}
	if err = o.runOn(model, inputs); err == nil {
		return nil
	}
	if missing := modelfile.Missing(model, len(inputs)); missing != nil {
		return missing
	}
	return err
}

// check refuses flags that do not go together, and values that mean nothing.
func (o *runFlags) check() error {
	if len(o.calibrate) > 0 && !o.int8 {
		return errCalibrate
	}
	if err := checkTolerances(o.rtol, o.atol); err != nil {
		return err
	}
	if len(o.expect) == 0 && (o.IsGiven("rtol") || o.IsGiven("atol")) {
		return commandline.Errorf("-rtol and -atol are for -expect, which is not given")
	}
	if err := o.checkWritten(); err != nil {
		return err
	}
	special := ""
	switch {
	case o.exact && len(o.faults) > 0:
		return commandline.Errorf("-tile-exact does not go with -fault: flip:COL,ROW,BIT walks tile by tile as well")
	case o.exact:
		special = "-tile-exact"
	case len(o.faults) > 0:
		special = "-fault"
	}
	if special != "" && (o.reports() || len(o.outputs)+len(o.expect) > 0) {
		return commandline.Errorf("%s prints what it finds, and writes and compares nothing else: leave out -output, -expect, -json, "+
			"-report and what is drawn or written of it", special)
	}
	if o.reports() {
		return nil
	}
	only := []string{"samples", "retention"}
	if special == "" { // walks tile by tile have mappings as well
		only = append(only, "mode", "dispatch", "without")
	}
	for _, name := range only {
		if o.IsGiven(name) {
			return commandline.Errorf("-%s is for what is reported: ask for that by -report, -json, -trace or the like", name)
		}
	}
	return nil
}

// checkTolerances refuses what no difference can be within.
func checkTolerances(relative, absolute float64) error {
	if relative >= 0 && absolute >= 0 {
		return nil
	}
	return commandline.Errorf("-rtol %g -atol %g: tolerances are not negative", relative, absolute)
}

// runOn runs a model on inputs.
func (o *runFlags) runOn(model string, inputs []*buf.Buffer) error {
	if err := o.check(); err != nil {
		return err
	}
	if err := o.verified(model); err != nil {
		return err
	}
	if modelfile.IsArtifact(model) && len(o.faults) == 0 && !o.exact && !o.int8 {
		return o.runArtifact(model, inputs)
	}
	if d, err := designIn(model); d != nil || err != nil {
		if err != nil {
			return err
		}
		return o.runDesign(model, d, inputs)
	}
	dev, err := o.OpenModel(model)
	if err != nil {
		return err
	}
	dev = o.accounted(dev)
	beat.does("reading the model")
	load := modelfile.LoadOnce
	if len(o.calibrate) > 0 {
		load = modelfile.LoadFor
	}
	module, err := load(model, inputs)
	if err != nil {
		return err
	}
	if o.int8 && (len(o.faults) > 0 || o.exact) {
		c, err := calibration(context.Background(), module, inputs, &o.inputs, o.calibrate)
		if err != nil {
			return inputfile.Named(model, err)
		}
		module = c.Quantize()
	}
	if len(o.faults) > 0 {
		return o.runFaults(model, dev, module, inputs)
	}
	if o.exact {
		return o.tileExact(model, dev, module, inputs)
	}
	beat.does("compiling")
	ctx := context.Background()
	if reason := walk.Needed(module); reason != nil {
		closed := modelfile.Specialized(module, inputs)
		if closed == nil {
			return o.walk(ctx, model, module, reason, inputs)
		}
		fmt.Fprintf(printable.Messages, "%s: %s: compiled for the extents of these inputs\n", reason.Loc.Short(), reason.Name)
		module = closed
	}
	compile := dev.Compile
	if o.int8 {
		compile = func(ctx context.Context, module *mlir.Operation) (device.Executable, error) {
			return o.quantized(ctx, dev, module, inputs)
		}
	}
	exe, err := compile(ctx, module)
	if err != nil {
		return inputfile.Named(model, err)
	}
	return o.execute(model, exe, inputs)
}

// verified returns an error for a model that is not signed as -verify wants.
func (o *runFlags) verified(model string) error {
	if o.verify == "" {
		return nil
	}
	if !modelfile.IsArtifact(model) {
		return commandline.Errorf("-verify is for artifacts (.acap), which acap compile -sign signs; %s is none", model)
	}
	key, err := artifact.ReadPublicKey(o.verify)
	if err != nil {
		return err
	}
	file, err := artifact.Open(model)
	if err != nil {
		return err
	}
	return file.Verify(key)
}

// runArtifact runs the program of a file, or compiles it again if flags ask for another one.
func (o *runFlags) runArtifact(path string, inputs []*buf.Buffer) error {
	file, err := artifact.Open(path)
	if err != nil {
		return err
	}
	dev, config, err := o.OpenFor(file)
	if err != nil {
		return err
	}
	module, err := file.Module()
	if err != nil {
		return err
	}
	if err := modelfile.Narrow(inputs, modelfile.InputDTypes(module)); err != nil {
		return inputfile.Named(path, err)
	}
	exe, notice, err := file.LoadWith(context.Background(), o.accounted(dev), config)
	if err != nil {
		return err
	}
	if notice != "" {
		fmt.Fprintln(printable.Messages, "acap: "+notice)
	}
	return o.execute(path, exe, inputs)
}

// execute runs a program and ends its use.
func (o *runFlags) execute(model string, exe device.Executable, inputs []*buf.Buffer) error {
	defer exe.Close()
	if err := o.checkReports(exe); err != nil {
		return err
	}
	warn(exe)
	beat.does("running")
	start := time.Now()
	outputs, err := exe.Run(context.Background(), inputs)
	if err != nil {
		return inputfile.Named(model, err)
	}
	beat.follows(func() string {
		mapped, kinds := o.mapped.Load(), o.kinds.Load()
		if mapped == kinds && kinds > 0 {
			return fmt.Sprintf("kernels of %d kinds are mapped, looking for their places,", kinds)
		}
		return fmt.Sprintf("%d of %d kinds of kernels mapped", mapped, kinds)
	})
	for _, b := range inputs {
		o.written += int64(len(b.Bytes()))
	}
	return o.finish(exe, outputs, time.Since(start))
}

// warn prints what went another way than the flags say.
func warn(exe device.Executable) {
	if g, ok := exe.(device.Grouped); ok {
		for _, w := range g.Warnings() {
			fmt.Fprintln(printable.Messages, "acap: warning: "+w)
		}
	}
}

// walk runs what no group holds: on the host, one operation after the other.
func (o *runFlags) walk(ctx context.Context, model string, module, reason *mlir.Operation, inputs []*buf.Buffer) error {
	f, err := compiler.EntryOf(module)
	if err != nil {
		return inputfile.Named(model, err)
	}
	fmt.Fprintf(printable.Messages, "%s: %s: memory, vectors, parallel loops and open extents are walked on the host\n", reason.Loc.Short(), reason.Name)
	if err := o.checkReports(nil); err != nil {
		return err
	}
	start := time.Now()
	outputs, err := walk.Run(ctx, stdout, module, f, inputs)
	if err != nil {
		return inputfile.Named(model, err)
	}
	return o.finish(nil, outputs, time.Since(start))
}

// finish writes, reports and compares the outputs.
func (o *runFlags) finish(exe device.Executable, outputs []*buf.Buffer, took time.Duration) error {
	if len(o.outputs) > len(outputs) || len(o.expect) > len(outputs) {
		return fmt.Errorf("the model has %d outputs, and -output or -expect stands %d times", len(outputs), max(len(o.outputs), len(o.expect)))
	}
	for i, path := range o.outputs {
		if err := npy.WriteFile(path, modelfile.Widen(outputs[i])); err != nil {
			return err
		}
	}
	if err := o.files(exe); err != nil {
		return err
	}
	if err := o.print(exe, outputs, took); err != nil {
		return err
	}
	for i, path := range o.expect {
		want, err := npy.ReadFile(path)
		if err != nil {
			return err
		}
		if err := modelfile.Compare(outputs[i], want, o.rtol, o.atol); err != nil {
			return fmt.Errorf("output %d differs from %s: %w", i, path, err)
		}
		if !o.json {
			fmt.Fprintf(stdout, "output %d agrees with %s (rtol %g, atol %g)\n", i, path, o.rtol, o.atol)
		}
	}
	if r := o.reportOf(exe); r != nil {
		return r.Err()
	}
	return nil
}
