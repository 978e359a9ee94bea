package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/llm/fit"
)

func init() {
	register(command{"fit", "say whether a model fits in memory, and how long it takes, before it is loaded", fitModel})
}

func fitModel(args []string) error {
	var o fit.Options
	var s machine.Setting
	var inputs commandline.Inputs
	var cache string
	f := newFlags("fit", "MODEL [-memory 8G] [-machine M] [-length N] [flags]")
	memory := f.String("memory", "", "the `size` of the memory, such as 8G (default: what a process may use here)")
	name := f.String("machine", "", "tell time and energy on this `machine`, a preset or a JSON file")
	s.Register(f)
	f.IntVar(&o.Length, "length", 0, "`tokens` of a sequence of a language model; 0 for 4096, or fewer if the model was made for fewer")
	f.IntVar(&o.Sequences, "sequences", 1, "how `many` sequences of that length there are at once")
	commandline.CacheFlag(f, &cache)
	inputs.Flags(f, "an input `file` of another model (default: input_N.npy beside it)", "")
	asJSON := f.Bool("json", false, "print JSON")
	model, err := parseOne(f, args)
	if err != nil {
		return err
	}
	if *memory != "" {
		n, ok := environment.ParseBytes(*memory)
		if !ok {
			return commandline.Errorf("-memory is %q, want a size in bytes such as 512M or 8G", *memory)
		}
		o.Memory = n
	}
	if o.Length < 0 {
		return commandline.Errorf("-length is %d, want at least 1, or 0 for what a model is loaded with", o.Length)
	}
	if o.Sequences < 1 {
		return commandline.Errorf("-sequences is %d, want at least 1", o.Sequences)
	}
	if o.CacheType, o.CacheFormat, err = commandline.CacheType(cache); err != nil {
		return err
	}
	switch {
	case *name != "":
		if o.Machine, err = s.Load(*name); err != nil {
			return err
		}
	case !s.Empty():
		return commandline.Errorf("-mode, -dispatch and -bf16 are of a machine: give -machine as well")
	}
	r, err := fitted(model, inputs, o)
	if err != nil {
		return err
	}
	if *asJSON {
		err = json.NewEncoder(stdout).Encode(r)
	} else {
		fmt.Fprint(stdout, r)
	}
	if err != nil {
		return err
	}
	return r.Err()
}

func fitted(model string, inputs commandline.Inputs, o fit.Options) (*fit.Report, error) {
	if fit.IsLanguage(model) {
		if inputs.Given() {
			return nil, fmt.Errorf("%s is a language model, whose inputs are tokens: give -length instead of -input and -shape", model)
		}
		return fit.Model(model, o)
	}
	info, err := os.Stat(model)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder without config.json, and so no language model", model)
	case o.Length > 0 || o.Sequences > 1 || o.CacheType != dtype.Invalid || o.CacheFormat != dtype.Plain:
		return nil, fmt.Errorf("%s is no language model: give -input or -shape instead of -length, -sequences and -cache-type", model)
	}
	module, err := inputs.Module(model)
	if err != nil {
		return nil, err
	}
	r, err := fit.Module(model, module, o)
	if err != nil {
		return nil, inputfile.Named(model, err)
	}
	return r, nil
}
