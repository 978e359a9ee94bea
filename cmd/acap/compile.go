package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/cmd/acap/printable"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/artifact"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
)

func init() {
	register(command{"compile", "compile a model into an .acap file", compileModel})
	register(command{"inspect", "show what is in an .acap file", inspect})
}

func compileModel(args []string) error {
	var inputs commandline.Inputs
	var calibrate list
	var config device.ConfigFlags
	f := newFlags("compile", "MODEL -o OUT.acap [-machine npu1,npu2] [-shape 1x3x224x224] [flags]")
	out := f.String("o", "", "the `file` to write")
	machines := f.String("machine", "", "map the kernels onto these `arrays`, separated by commas: presets or JSON files; without one the program is for the host, and mapped when its account is asked for")
	inputs.Flags(f, "an input `file` to compile for (default: input_N.npy beside the model)", "")
	int8 := f.Bool("int8", false, "multiply bytes by constant weights of bytes")
	f.Var(&calibrate, "calibrate", "an input `file` from which -int8 takes ranges; repeat for more (default: the inputs)")
	key := f.String("sign", "", "sign the file with the Ed25519 key in this `file` (PEM), for acap run -verify")
	config.Flags(f)
	model, err := parseOne(f, args)
	switch {
	case err != nil:
		return err
	case *out == "":
		return commandline.Errorf("-o is missing: the name of the file to write, such as -o model.acap")
	case !modelfile.IsArtifact(*out):
		return commandline.Errorf("-o %s: the name of an artifact ends in .acap", *out)
	case len(calibrate) > 0 && !*int8:
		return errCalibrate
	}
	if err := commandline.CheckFolder("o", *out); err != nil {
		return err
	}
	opts, err := compileOptions(model, &config, *machines)
	if err != nil {
		return err
	}
	if *key != "" {
		if opts.Sign, err = artifact.ReadPrivateKey(*key); err != nil {
			return err
		}
	}
	start := time.Now()
	module, err := inputs.Module(model)
	if err != nil {
		return err
	}
	if *int8 {
		if module, err = inBytes(model, module, &inputs, calibrate); err != nil {
			return inputfile.Named(model, err)
		}
	}
	if err := artifact.Write(context.Background(), *out, module, opts); err != nil {
		return inputfile.Named(model, err)
	}
	if file, err := artifact.Open(*out); err == nil {
		for _, w := range file.Warnings {
			fmt.Fprintln(printable.Messages, "acap: warning: "+w)
		}
	}
	info, err := os.Stat(*out)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %s in %v\n", *out, buf.Size(info.Size()), time.Since(start).Round(time.Millisecond))
	return printGuards(module)
}

// printGuards says for which inputs a module is right, if its structure depends on elements.
func printGuards(module *mlir.Operation) error {
	list, err := compiler.Guards(module)
	if err != nil || len(list) == 0 {
		return err
	}
	const most = 8
	fmt.Fprintln(stdout, "the structure of the model depends on elements of the inputs: the program refuses inputs that differ in")
	for i, g := range list {
		if i == most {
			fmt.Fprintf(stdout, "  and %d more\n", len(list)-most)
			break
		}
		fmt.Fprintf(stdout, "  %s\n", g)
	}
	return nil
}

var errCalibrate = commandline.Errorf("-calibrate is for -int8")

// inBytes returns a model with products of bytes.
func inBytes(model string, module *mlir.Operation, inputs *commandline.Inputs, calibrate list) (*mlir.Operation, error) {
	data, err := inputs.Read(model, inputs.Files)
	if err != nil {
		return nil, err
	}
	c, err := calibration(context.Background(), module, data, inputs, calibrate)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(stdout, "%d products of bytes\n", len(c.Sites))
	return c.Quantize(), nil
}

// compileOptions says how a model is compiled; an artifact as it was, but for what flags say.
func compileOptions(model string, config *device.ConfigFlags, machines string) (artifact.Options, error) {
	opts := artifact.Options{Model: filepath.Base(model)}
	var base device.Config
	if modelfile.IsArtifact(model) {
		file, err := artifact.Open(model)
		if err != nil {
			return opts, err
		}
		if base, err = file.Settings(); err != nil {
			return opts, inputfile.Named(model, err)
		}
		opts.Model = file.Model
		if machines == "" {
			if opts.Arrays, err = file.Arrays(); err != nil {
				return opts, err
			}
		}
	}
	var err error
	if opts.Config, err = config.Over(base); err != nil {
		return opts, commandline.Wrong(err)
	}
	if machines == "" {
		return opts, nil
	}
	for _, name := range strings.Split(machines, ",") {
		if name == "" {
			return opts, commandline.Errorf("-machine %s: a name is missing", machines)
		}
		if _, err := machine.Load(name); err != nil {
			return opts, commandline.WrongName(name, err)
		}
		opts.Machines = append(opts.Machines, name)
	}
	return opts, nil
}

func inspect(args []string) error {
	f := newFlags("inspect", "FILE.acap [-json] [-mlir] [-check]")
	check := f.Bool("check", false, "compile the module again and tell whether that gives the program in the file")
	asJSON := f.Bool("json", false, "print JSON")
	text := f.Bool("mlir", false, "print the module that the program was made of")
	path, err := parseOne(f, args)
	if err != nil {
		return err
	}
	if modelfile.IsBundle(path) {
		return fmt.Errorf("%s is a program that lazy.Record or acap reduce wrote: acap replay runs it, acap view shows it", path)
	}
	file, err := artifact.Open(path)
	if err != nil {
		return err
	}
	if *check {
		if err := file.Check(context.Background()); err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(stdout).Encode(map[string]bool{"same": true})
		}
		fmt.Fprintf(stdout, "%s: the module gives all that is in the file\n", path)
		return nil
	}
	var module *mlir.Operation
	if *text {
		if module, err = file.Module(); err != nil {
			return err
		}
	}
	switch {
	case *asJSON:
		out := map[string]any{"info": file.Info, "sections": file.Sections()}
		if *text {
			out["mlir"] = module.String()
		}
		return json.NewEncoder(stdout).Encode(out)
	case *text:
		_, err = fmt.Fprint(stdout, module)
		return err
	}
	return file.Describe(stdout)
}
