package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/beside"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/report"
)

func init() {
	register(command{"beside", "say what models take that run at the same time and share a memory", besideModels})
}

func besideModels(args []string) error {
	f := newFlags("beside", "MODEL MODEL... [-machine M] [-columns 4,4 | -arrays] [flags]")
	name := f.String("machine", acap.DefaultMachine, "the `machine`, a preset or a JSON file")
	columns := f.String("columns", "", "`columns` of the array for each model, such as 6,2 (default: as many interface tiles for each)")
	arrays := f.Bool("arrays", false, "give each model an array of its own; all share the memory of one (what a machine file with several arrays has)")
	asJSON := f.Bool("json", false, "print JSON")
	models, err := commandline.Parse(f, args)
	if err != nil {
		return err
	}
	if len(models) < 2 {
		fmt.Fprintln(f.Output(), "acap beside: two models or more are wanted; to run one beside itself, name it twice")
		f.Usage()
		return errUsage
	}
	m, err := machine.Load(*name)
	if err != nil {
		return commandline.WrongName(*name, err)
	}
	parts, err := partsFor(m, len(models), *columns, *arrays || m.Arrays != nil && *columns == "")
	if err != nil {
		return err
	}
	reports := make([]*report.Report, len(models))
	for i, model := range models {
		module, err := new(commandline.Inputs).Module(model)
		if err != nil {
			return err
		}
		exe, err := acap.New(parts[i]).Compile(context.Background(), module)
		if err != nil {
			return inputfile.Named(model, err)
		}
		defer exe.Close()
		if reports[i] = acap.ReportOf(exe); len(reports[i].Fallbacks) > 0 {
			return fmt.Errorf("%s has calls that run on the host, whose time is not known", model)
		}
	}
	shares, err := beside.Run(m, reports)
	if err != nil {
		return err
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(map[string]any{"machine": m.Name, "models": models, "shares": shares})
	}
	used, bytes := 0.0, 0.0
	width := len("model")
	for _, model := range models {
		width = max(width, len(model))
	}
	format := fmt.Sprintf("%%-%ds %%-10s %%12s %%12s %%9s %%12s %%12s\n", width)
	fmt.Fprintf(stdout, format, "model", "columns", "alone", "beside", "waits", "of memory", "runs/s")
	for i, s := range shares {
		used, bytes = used+s.Gets, bytes+s.Bytes
		fmt.Fprintf(stdout, format, models[i], fmt.Sprintf("%d of %d", s.Columns, m.Grid.Cols), milliseconds(s.Alone), milliseconds(s.Seconds),
			fmt.Sprintf("%.1f%%", 100*s.Waits), fmt.Sprintf("%.0f%%", 100*s.Gets), fmt.Sprintf("%.4g", 1/s.Seconds))
	}
	fmt.Fprintf(stdout, "the memory of %s is busy %.0f%% of the time and moves %.3g GB/s for all\n", m.Name, 100*used, bytes/1e9)
	return nil
}

// partsFor returns the machines on which the models run, one for each.
func partsFor(m *machine.Machine, models int, columns string, arrays bool) ([]*machine.Machine, error) {
	if arrays {
		if columns != "" {
			return nil, commandline.Errorf("-arrays has a whole array for each model: leave out -columns")
		}
		return beside.Arrays(m, models)
	}
	var widths []int
	for _, word := range strings.FieldsFunc(columns, func(r rune) bool { return r == ',' }) {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 {
			return nil, commandline.Errorf("-columns %q: want a number of columns for each model, such as 4,4", columns)
		}
		widths = append(widths, n)
	}
	switch {
	case columns == "":
		var err error
		if widths, err = beside.Even(m, models); err != nil {
			return nil, err
		}
	case len(widths) != models:
		return nil, commandline.Errorf("-columns %q has %d numbers for %d models", columns, len(widths), models)
	}
	parts, err := beside.Parts(m, widths)
	return parts, commandline.Wrong(err)
}
