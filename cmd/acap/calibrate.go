package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
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
	if o.Bounds, err = readBounds(*bounds); err != nil {
		return err
	}
	o.Label = fmt.Sprintf("calibrated to %s, %d rows", filepath.Base(path), len(rows))
	o.Progress = func(what string) { fmt.Fprintln(os.Stderr, "calibrate:", what) }
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
	printCalibration(m, r)
	if *out == "" {
		fmt.Fprintln(stdout, "nothing is written without -o FILE")
	}
	return nil
}

// readBounds reads "name=low:high" of several constants.
func readBounds(text string) (map[string][2]float64, error) {
	out := make(map[string][2]float64)
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		name, values, ok := strings.Cut(part, "=")
		low, high, two := strings.Cut(values, ":")
		a, errLow := strconv.ParseFloat(low, 64)
		b, errHigh := strconv.ParseFloat(high, 64)
		if !ok || !two || errLow != nil || errHigh != nil || !(a < math.Inf(1) && b < math.Inf(1)) {
			return nil, commandline.Errorf("-bounds %s: want name=low:high, two numbers", part)
		}
		if _, twice := out[name]; twice {
			return nil, commandline.Errorf("-bounds has %s twice", name)
		}
		out[name] = [2]float64{a, b}
	}
	return out, nil
}

func printCalibration(m *machine.Machine, r *calibrate.Result) {
	fmt.Fprintf(stdout, "%s, %d rows\n\n%-44s %12s %12s %8s %27s %6s  %s\n", m.Name, r.All.Rows, "constant", "before", "after", "moved",
		"bounds", "rows", "fixed by lines")
	loose := make(map[string]int)
	for _, c := range r.Constants {
		if c.Loose != "" {
			loose[c.Loose]++
			continue
		}
		at := ""
		switch {
		case c.After >= 0.999*c.High:
			at = "  at its upper bound"
		case c.After <= 1.001*c.Low:
			at = "  at its lower bound"
		}
		lines := make([]string, len(c.Lines))
		for i, l := range c.Lines {
			lines[i] = strconv.Itoa(l)
		}
		fmt.Fprintf(stdout, "%-44s %12.5g %12.5g %+7.1f%% %13.5g %13.5g %6d  %s%s\n", c.Name(), c.Before, c.After, 100*(c.After/c.Before-1),
			c.Low, c.High, c.Rows, strings.Join(lines, ", "), at)
	}
	for _, why := range slices.Sorted(func(yield func(string) bool) {
		for w := range loose {
			if !yield(w) {
				return
			}
		}
	}) {
		fmt.Fprintf(stdout, "%d more constants stay as they are: %s\n", loose[why], why)
	}
	fmt.Fprintf(stdout, "\n%-50s %5s %24s %24s %24s\n", "absolute error: median, mean, worst", "rows", "before", "after", "with this source left out")
	line := func(e *calibrate.Errors) string {
		if e == nil {
			return ""
		}
		return fmt.Sprintf("%6.2f%% %7.2f%% %7.2f%%", 100*e.Median, 100*e.Mean, 100*e.Worst)
	}
	for _, s := range append(r.Sources, r.All) {
		name := []rune(cmp.Or(s.Name, "(no source)"))
		if len(name) > 48 {
			name = append([]rune("…"), name[len(name)-47:]...)
		}
		text := fmt.Sprintf("%-50s %5d %24s %24s %24s", string(name), s.Rows, line(&s.Before), line(&s.After), line(s.LeftOut))
		fmt.Fprintln(stdout, strings.TrimRight(text, " "))
	}
	for _, s := range r.Doubts {
		fmt.Fprintln(stdout, "note:", s)
	}
	for i, s := range r.Skipped {
		if i == 5 {
			fmt.Fprintf(stdout, "and %d more rows without prediction\n", len(r.Skipped)-i)
			break
		}
		fmt.Fprintln(stdout, "without prediction:", s)
	}
}
