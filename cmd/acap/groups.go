package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/division"
	"github.com/go-acap/acap/mlir"
)

func init() {
	register(command{"groups", "show how a model is divided into groups for a device, and what each takes", groups})
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
	ran := plan.Division
	var warnings []string
	if g, ok := exe.(device.Grouped); ok {
		ran, warnings = g.Division(), g.Warnings()
	}
	described, share := division.Of(ran, plan.Texts), device.Share(ran)
	took, err := division.Measure(context.Background(), exe, data, described)
	if err != nil {
		return inputfile.Named(name, err)
	}
	if *asJSON {
		return json.NewEncoder(stdout).Encode(map[string]any{"model": name, "device": d.Name(), "groups": described,
			"compiled_share": share, "measured_seconds": took.Seconds(), "warnings": warnings, "compile": compileTimes(exe)})
	}
	division.Write(stdout, described, 0)
	for _, w := range warnings {
		fmt.Fprintln(stdout, "warning:", w)
	}
	printCompileTimes(compileTimes(exe))
	fmt.Fprintf(stdout, "%s: %s on %s with %.1f%% of the work; one run took %v on this machine\n", name, groupCount(division.OnDevice(described)),
		d.Name(), 100*share, took.Round(time.Microsecond))
	return nil
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

func groupCount(n int) string {
	if n == 1 {
		return "1 group"
	}
	return fmt.Sprint(n, " groups")
}
