package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
)

func init() {
	register(command{"groups", "show how a model is divided into groups for a device, and what each takes", groups})
}

// groupReport is what is printed of a group, or of an operation that the host runs.
type groupReport struct {
	Title     string   `json:"title,omitempty"`
	Function  string   `json:"function"`
	Device    string   `json:"device"`
	Ops       []string `json:"ops"`
	Work      int64    `json:"work"`
	Share     float64  `json:"share"` // of the model's work
	Problem   string   `json:"problem,omitempty"`
	Text      string   `json:"text,omitempty"`
	Predicted float64  `json:"predicted_seconds,omitempty"`
	Measured  float64  `json:"measured_seconds,omitempty"`
}

func groups(args []string) error {
	var dev deviceFlags
	var inputs commandline.Inputs
	f := newFlags("groups", "MODEL [-device D] [-unsupported OPS] [-min-group N] [-json] [flags]")
	dev.Flags(f)
	inputs.Flags(f, "an input `file` to run on (default: input_N.npy beside the model, else random numbers)", "")
	asJSON := f.Bool("json", false, "print JSON")
	name, err := parseOne(f, args)
	if err != nil {
		return err
	}
	d, err := dev.OpenModel(name)
	if err != nil {
		return err
	}
	backed, ok := d.(device.Backed)
	if !ok {
		return fmt.Errorf("%s does not tell which operations it supports", d.Name())
	}
	module, data, err := inputs.ModuleToRun(name)
	if err != nil {
		return err
	}
	plan, err := compiler.Divide(module.Clone(map[*mlir.Value]*mlir.Value{}), backed.Backend(), backed.Config())
	if err != nil {
		return err
	}
	exe, err := d.Compile(context.Background(), module)
	if err != nil {
		return inputfile.Named(name, err)
	}
	defer exe.Close()
	reports, took, err := profiled(exe, plan, data)
	if err != nil {
		return inputfile.Named(name, err)
	}
	var warnings []string
	share := 1.0
	if g, ok := exe.(device.Grouped); ok {
		warnings, share = g.Warnings(), device.Share(g.Division())
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(map[string]any{"model": name, "device": d.Name(), "groups": reports,
			"compiled_share": share, "measured_seconds": took.Seconds(), "warnings": warnings, "compile": compileTimes(exe)})
	}
	printGroups(reports)
	for _, w := range warnings {
		fmt.Fprintln(stdout, "warning:", w)
	}
	count := 0
	for _, r := range reports {
		if r.Title != "" {
			count++
		}
	}
	printCompileTimes(compileTimes(exe))
	fmt.Fprintf(stdout, "%s: %s on %s with %.1f%% of the work; one run took %v on this machine\n", name, groupCount(count),
		d.Name(), 100*share, took.Round(time.Microsecond))
	return nil
}

func groupCount(n int) string {
	if n == 1 {
		return "1 group"
	}
	return fmt.Sprint(n, " groups")
}

func compileTimes(exe device.Executable) []device.CompileTime {
	if t, ok := exe.(device.Timed); ok {
		return t.CompileTimes()
	}
	return nil
}

// printCompileTimes prints a line for the whole program and one for each group.
func printCompileTimes(times []device.CompileTime) {
	for i := 0; i < len(times); {
		name := times[i].Group
		var phases []string
		var sum time.Duration
		for ; i < len(times) && times[i].Group == name; i++ {
			sum += times[i].Took
			phases = append(phases, fmt.Sprintf("%s %v", times[i].Phase, times[i].Took.Round(time.Microsecond)))
		}
		if name == "" {
			name = "passes"
		}
		fmt.Fprintf(stdout, "compile time of %s: %v (%s)\n", name, sum.Round(time.Microsecond), strings.Join(phases, ", "))
	}
}

// profiled runs a program and reports on its groups.
func profiled(exe device.Executable, plan *compiler.Plan, inputs []*buf.Buffer) ([]groupReport, time.Duration, error) {
	type times struct {
		measured  time.Duration
		predicted float64
	}
	of := map[string]times{}
	var all time.Duration
	if explained, ok := exe.(device.Explained); ok {
		if _, _, err := explained.RunTimed(context.Background(), inputs); err != nil { // once to warm up
			return nil, 0, err
		}
		_, took, err := explained.RunTimed(context.Background(), inputs)
		if err != nil {
			return nil, 0, err
		}
		for i, k := range explained.Kernels() {
			all += took[i]
			t := of[k.Group]
			t.measured += took[i]
			if !k.Once {
				t.predicted += k.Seconds
			}
			of[k.Group] = t
		}
	}
	division := plan.Division
	if g, ok := exe.(device.Grouped); ok {
		division = g.Division()
	}
	var sum int64
	for _, g := range division {
		sum += g.Work
	}
	var reports []groupReport
	number := 0
	for _, g := range division {
		r := groupReport{Function: g.Name, Device: g.Device, Ops: g.Ops, Work: g.Work, Problem: g.Problem}
		if sum > 0 {
			r.Share = float64(g.Work) / float64(sum)
		}
		if g.OnDevice() {
			r.Title, r.Text = device.GroupTitle(number), plan.Texts[g.Name]
			r.Predicted, r.Measured = of[g.Name].predicted, of[g.Name].measured.Seconds()
			number++
		}
		reports = append(reports, r)
	}
	return reports, all, nil
}

func printGroups(reports []groupReport) {
	for _, r := range reports {
		if r.Title == "" {
			fmt.Fprintf(stdout, "on %s: %s, %.1f%% of the work: %s\n", r.Device, strings.Join(r.Ops, " "), 100*r.Share, r.Problem)
			continue
		}
		fmt.Fprintf(stdout, "%s = %s on %s: %d operations, %.1f%% of the work", r.Title, r.Function, r.Device, len(r.Ops), 100*r.Share)
		if r.Predicted > 0 {
			fmt.Fprintf(stdout, ", predicted %v", time.Duration(r.Predicted*1e9).Round(time.Microsecond))
		}
		if r.Measured > 0 {
			fmt.Fprintf(stdout, ", measured %v", time.Duration(r.Measured*1e9).Round(time.Microsecond))
		}
		fmt.Fprintf(stdout, "\n    %s\n", strings.ReplaceAll(strings.TrimSpace(r.Text), "\n", "\n    "))
	}
}
