package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/printable"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/acap/predict/calibrate"
	"github.com/go-acap/acap/device/acap/predict/language"
)

func init() {
	register(command{"calibrate", "fit the constants of a machine to your own measurements", runCalibrate})
}

func runCalibrate(args []string) error {
	flags := newFlags("calibrate", "ROWS.csv [-machine M.json] -o MACHINE.json [flags]")
	name := flags.String("machine", "", "the `machine` to start from: a preset or a JSON file; without one the preset that most rows name")
	out := flags.String("o", "", "write the machine to this `file`, which every -machine takes")
	patterns := flags.String("constants", "", "`paths` of the constants that may move, separated by commas, with * for any part of a name; without them all that are fitted or assumed")
	bounds := flags.String("bounds", "", "`bounds` of constants in their units, such as host.launch=5e-5:2e-4,ddr.read=1e10:2e10")
	asJSON := flags.Bool("json", false, "print as JSON")
	var o calibrate.Options
	o.Defaults.Register(flags)
	path, err := parseOne(flags, args)
	if err != nil {
		return err
	}
	text, err := inputfile.Read(path)
	if err != nil {
		return err
	}
	if err := commandline.CheckApart("-o", *out, path); err != nil {
		return err
	}
	if err := commandline.CheckFormat("o", *out, ".json"); err != nil {
		return err
	}
	if language.IsTable(string(text)) {
		return fmt.Errorf("%s: these rows measure whole language models, and constants are fitted to rows of kernels", path)
	}
	rows, err := predict.Read(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("%s:%w", path, err)
	}
	if *name == "" {
		if *name = predict.Machine(rows); *name == "" {
			return fmt.Errorf("%s: no row names a machine that is known", path)
		}
	}
	m, err := machine.Load(*name)
	if err != nil {
		return commandline.WrongName(*name, err)
	}
	o.Patterns = strings.FieldsFunc(*patterns, func(r rune) bool { return r == ',' })
	if o.Bounds, err = calibrate.ParseBounds(*bounds); err != nil {
		return commandline.Errorf("-bounds: %w", err)
	}
	o.Label = fmt.Sprintf("calibrated to %s, %d rows", filepath.Base(path), len(rows))
	o.Progress = func(what string) { fmt.Fprintln(printable.Messages, "calibrate:", what) }
	r, err := calibrate.Fit(m, rows, o)
	if err != nil {
		return err
	}
	if *out != "" {
		if err := atomicfile.Write(*out, r.Machine.WriteJSON); err != nil {
			return err
		}
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(r)
	}
	if err := r.Write(stdout); err != nil {
		return err
	}
	if *out == "" {
		fmt.Fprintln(stdout, "nothing is written without -o FILE")
	}
	return nil
}
