package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/recording"
)

func init() {
	register(command{"compare-trace", "compare what an array recorded of a model with the simulation, kernel by kernel", compareTrace})
}

// traceFlags are the flags of compare-trace.
type traceFlags struct {
	machine, events, cores, write, both string
	right                               int
	json                                bool
	setting                             machine.Setting
	inputs                              commandline.Inputs
}

func compareTrace(args []string) error {
	var o traceFlags
	f := newFlags("compare-trace", "MODEL [RECORDED] [-machine M] [-write FILE] [flags]")
	f.StringVar(&o.machine, "machine", acap.DefaultMachine, "the `machine`, a preset or a JSON file")
	o.setting.Register(f)
	o.inputs.Flags(f, "an input `file`, .npy, .safetensors, .png or .jpg; repeat for more (default: input_N.npy beside the model)", "")
	f.StringVar(&o.events, "events", strings.Join(recording.DefaultEvents[:], ","),
		"the `names` of the eight events that the trace units of cores watched, separated by commas")
	f.StringVar(&o.cores, "cores", recording.OwnCores.String(),
		"a `pattern` of the signals of cores in a value change dump, with groups for column and row")
	f.IntVar(&o.right, "right", 0, "how `many` columns to the right of the simulated ones the recorded ones are")
	f.StringVar(&o.write, "write", "",
		"write the simulated run to this `file`: a value change dump if it ends in .vcd, else packets of trace units")
	f.StringVar(&o.both, "trace", "", "write the recorded calls beside the simulated ones to this `file`, for Perfetto")
	f.BoolVar(&o.json, "json", false, "print JSON")
	rest, err := parseBetween(f, args, 1, 2)
	if err != nil {
		return err
	}
	if len(rest) == 1 && o.write == "" {
		return commandline.Errorf("what an array recorded is missing: name its file behind the model, or write what the simulation says by -write FILE")
	}
	return o.run(rest[0], rest[1:])
}

func (o *traceFlags) run(model string, files []string) error {
	for _, flag := range [][2]string{{"-write", o.write}, {"-trace", o.both}} {
		if err := commandline.CheckApart(flag[0], flag[1], append(files, model)...); err != nil {
			return err
		}
	}
	cores, err := regexp.Compile(o.cores)
	if err != nil {
		return commandline.Errorf("-cores: %w", err)
	}
	names := strings.Split(o.events, ",")
	if len(names) != recording.Slots {
		return commandline.Errorf("-events names %d events, want %d", len(names), recording.Slots)
	}
	events := [recording.Slots]string(names)
	m, err := o.setting.Load(o.machine)
	if err != nil {
		return err
	}
	module, err := o.inputs.Module(model)
	if err != nil {
		return err
	}
	exe, err := acap.New(m).Compile(context.Background(), module)
	if err != nil {
		return inputfile.Named(model, err)
	}
	defer exe.Close()
	r := acap.ReportOf(exe)
	var calls []recording.Calls
	var c *recording.Comparison
	if len(files) > 0 { // before anything is written
		if calls, err = recording.ReadCalls(files[0], events, cores, m.Clock.Value); err != nil {
			return inputfile.Named(files[0], err)
		}
		if c, err = recording.Compare(r, calls, o.right); err != nil {
			return err
		}
	}
	if o.write != "" {
		s, err := recording.Simulate(r)
		if err != nil {
			return err
		}
		write := s.WritePackets
		if strings.EqualFold(filepath.Ext(o.write), ".vcd") {
			write = func(w io.Writer) error { return s.WriteVCD(w, m.Clock.Value) }
		}
		if err := atomicfile.Write(o.write, write); err != nil {
			return err
		}
	}
	if len(files) == 0 {
		return nil
	}
	if o.both != "" {
		s, err := recording.Simulate(r)
		if err != nil {
			return err
		}
		if err := atomicfile.Write(o.both, func(w io.Writer) error { return s.WriteTrace(w, calls, m.Clock.Value) }); err != nil {
			return err
		}
	}
	if o.json {
		return json.NewEncoder(stdout).Encode(map[string]any{"model": model, "machine": m.Name, "recorded": files[0], "comparison": c})
	}
	fmt.Fprintf(stdout, "%s on %s, and %s\n\n%v", model, m.Name, files[0], c)
	return nil
}
