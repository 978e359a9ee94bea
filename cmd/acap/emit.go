package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/bytecode"
	"github.com/go-acap/acap/mlir/dialect/torch"
	"github.com/go-acap/acap/translate/exporter/irdl"
	"github.com/go-acap/acap/translate/exporter/stablehlo"
	"github.com/go-acap/acap/translate/passes/acap2019"
	"github.com/go-acap/acap/translate/passes/torchmlir"
)

func init() {
	register(command{"emit", "print a stage of a model, from aten to the program of the array", emit})
}

// stages are the forms that emit prints, from the source to the machine.
var stages = slices.Concat(stagesOfModules, stagesOfDevices, stagesGeneric, []string{"aten-irdl", "torch-irdl", "aie-irdl"})

// stagesOfModules and stagesGeneric are the same on all devices, stagesOfDevices are printed by the one that compiles.
var (
	stagesOfModules = []string{string(lazy.StageATen), string(lazy.StageACAP2019), stageTorch, string(lazy.StageStableHLO), string(lazy.StageLinalg)}
	stagesGeneric   = []string{stageATenGeneric, stageTorchGeneric}
	stagesOfDevices = []string{string(lazy.StageKernel), string(lazy.StageVector), string(lazy.StageASM), string(lazy.StageAIE), string(lazy.StageAIELowered), "aie-generic"}
)

// printed are the stages whose printing has flags.
var printed = slices.Concat(stagesOfModules, stagesGeneric)

// stagesOfFlags are the stages of flags that other stages would ignore, beside the flags of devices.
var stagesOfFlags = map[string][]string{
	"generic": printed, "locations": printed, "elide": printed,
	"portable":    {string(lazy.StageStableHLO)},
	"aie-version": {string(lazy.StageAIE), string(lazy.StageAIELowered)},
}

// The dialect of torch-mlir in its own syntax, and the forms that definitions in IRDL read.
const (
	stageTorch        = "torch"
	stageATenGeneric  = "aten-generic"
	stageTorchGeneric = "torch-generic"
)

// definitions are the stages that are the same for all models: dialects in IRDL.
var definitions = map[string]func() string{"aten-irdl": irdl.ATen, "torch-irdl": irdl.Torch,
	"aie-irdl": func() string { return program.Definitions }}

func emit(args []string) error {
	var dev deviceFlags
	var inputs commandline.Inputs
	f := newFlags("emit", "[MODEL] [-stage STAGE] [flags] (no model for the stages that end in -irdl)")
	dev.Flags(f)
	stage := f.String("stage", "aten", "the `form` to print: "+strings.Join(stages, ", "))
	inputs.Flags(f, "an input `file` to compile for (default: input_N.npy beside the model)", "")
	generic := f.Bool("generic", false, "print the generic form of every operation")
	locations := f.Bool("locations", false, "print source locations")
	version := f.String("aie-version", program.Current, "the `version` of mlir-aie whose text the stages aie and aie-lowered have: "+program.Dialect+" or "+program.Current)
	portable := f.String("portable", "", "write the stage stablehlo as a portable artifact of this `version` of StableHLO, which is no text: "+
		strings.Join(bytecode.Targets, ", "))
	elide := f.Int("elide", 0, "leave out the elements of constants with more than `n` of them (0: never)")
	rest, err := parseBetween(f, args, 0, 1)
	if err != nil {
		return err
	}
	if !slices.Contains(stages, *stage) {
		return commandline.Errorf("no stage %q; there are %s", *stage, strings.Join(stages, ", "))
	}
	if err := usedBy(*stage, f, &dev); err != nil {
		return err
	}
	if *portable != "" && !slices.Contains(bytecode.Targets, *portable) {
		return commandline.Errorf("-portable %s: give the newest version that the reader knows, of %s", *portable,
			strings.Join(bytecode.Targets, ", "))
	}
	if define := definitions[*stage]; define != nil {
		_, err := fmt.Fprint(stdout, define())
		return err
	}
	if len(rest) == 0 {
		f.Usage()
		return errUsage
	}
	module, err := inputs.Module(rest[0])
	if err != nil {
		return err
	}
	if *portable != "" {
		if err := stablehlo.Export(module); err != nil {
			return err
		}
		if err := stablehlo.Decompose(module); err != nil {
			return err
		}
		return bytecode.WritePortable(stdout, module, *portable)
	}
	opts := mlir.PrintOptions{Generic: *generic, Locations: *locations, ElideLargerThan: *elide}
	if s := lazy.Stage(*stage); s == lazy.StageAIE || s == lazy.StageAIELowered {
		*stage += "@" + *version
	}
	return emitStage(func() (device.Device, error) { return dev.OpenModel(rest[0]) }, module, lazy.Stage(*stage), opts)
}

// usedBy refuses the first flag that a stage would ignore.
func usedBy(stage string, f *flag.FlagSet, dev *deviceFlags) (err error) {
	ofDevice := dev.Given()
	f.Visit(func(f *flag.Flag) {
		of, bounded := stagesOfFlags[f.Name]
		if slices.Contains(ofDevice, f.Name) {
			of, bounded = stagesOfDevices, true
		}
		if err == nil && bounded && !slices.Contains(of, stage) {
			err = commandline.Errorf("-%s changes nothing in the stage %s: use the flag with -stage %s", f.Name, stage, strings.Join(of, ", "))
		}
	})
	return err
}

// emitStage prints a stage of a module. The device is opened for the stages that it has.
func emitStage(open func() (device.Device, error), module *mlir.Operation, stage lazy.Stage, opts mlir.PrintOptions) error {
	switch stage {
	case lazy.StageATen:
		return mlir.Print(stdout, module, opts)
	case lazy.StageACAP2019:
		if err := acap2019.To(module); err != nil {
			return err
		}
		opts.Spelling = mlir.ACAP2019
		return mlir.Print(stdout, module, opts)
	case stageATenGeneric:
		return printAnnotated(module, opts)
	case stageTorch, stageTorchGeneric:
		if err := torchmlir.To(module); err != nil {
			return err
		}
		if stage == stageTorchGeneric {
			torch.Spell(module)
			return printAnnotated(module, opts)
		}
		opts.Pretty = !opts.Generic
		return mlir.Print(stdout, module, opts)
	case lazy.StageStableHLO:
		if err := stablehlo.Export(module); err != nil {
			return err
		}
		return mlir.Print(stdout, module, opts)
	case lazy.StageLinalg:
		if err := compiler.Lower(module); err != nil {
			return err
		}
		return mlir.Print(stdout, module, opts)
	}
	dev, err := open()
	if err != nil {
		return err
	}
	exe, err := dev.Compile(context.Background(), module)
	if err != nil {
		return err
	}
	defer exe.Close()
	text, err := exe.Text(string(stage))
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(stdout, text)
	return err
}

// printAnnotated prints the generic form that definitions in IRDL read.
func printAnnotated(module *mlir.Operation, opts mlir.PrintOptions) error {
	opts.Generic = true
	if err := irdl.Annotate(module); err != nil {
		return err
	}
	return mlir.Print(stdout, module, opts)
}
