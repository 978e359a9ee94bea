package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/recording"
	"github.com/go-acap/acap/device/acap/report"
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
	inputs, shapes                      list
}

func compareTrace(args []string) error {
	var o traceFlags
	f := newFlags("compare-trace", "MODEL [RECORDED] [-machine M] [-write FILE] [flags]")
	f.StringVar(&o.machine, "machine", acap.DefaultMachine, "the `machine`, a preset or a JSON file")
	o.setting.Register(f)
	f.Var(&o.inputs, "input", "an input `file`, .npy, .safetensors or .png; repeat for more (default: input_N.npy beside the model)")
	f.Var(&o.shapes, "shape", "the `type` of an input, such as 1x3x224x224 or 1x8xi64; repeat for more")
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
	for flag, out := range map[string]string{"-write": o.write, "-trace": o.both} {
		if err := apart(flag, out, append(files, model)...); err != nil {
			return err
		}
	}
	m, err := o.setting.Load(o.machine)
	if err != nil {
		return err
	}
	module, err := moduleOf(model, o.inputs, o.shapes)
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
		if calls, err = o.calls(files[0], m); err != nil {
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
		if err := o.beside(r, calls); err != nil {
			return err
		}
	}
	if o.json {
		return json.NewEncoder(stdout).Encode(map[string]any{"model": model, "machine": m.Name, "recorded": files[0], "comparison": c})
	}
	fmt.Fprintf(stdout, "%s on %s, and %s\n\n%v", model, m.Name, files[0], c)
	return nil
}

// calls reads the calls of kernels: from a value change dump, or from packets.
func (o *traceFlags) calls(path string, m *machine.Machine) ([]recording.Calls, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := bufio.NewReader(file)
	if strings.EqualFold(filepath.Ext(path), ".vcd") {
		pattern, err := regexp.Compile(o.cores)
		if err != nil {
			return nil, commandline.Errorf("-cores: %w", err)
		}
		d, err := recording.ReadVCD(text)
		if err != nil {
			return nil, err
		}
		return d.Calls(pattern, m.Clock.Value)
	}
	names := strings.Split(o.events, ",")
	if len(names) != recording.Slots {
		return nil, commandline.Errorf("-events names %d events, want %d", len(names), recording.Slots)
	}
	r, err := recording.ReadPackets(text)
	if err != nil {
		return nil, err
	}
	return r.Calls([recording.Slots]string(names))
}

// beside writes a Chrome trace: the simulated calls of each core, and below them the recorded calls. The first call of either is at 0.
func (o *traceFlags) beside(r *report.Report, calls []recording.Calls) error {
	s, err := recording.Simulate(r)
	if err != nil {
		return err
	}
	own, err := s.Calls(recording.DefaultEvents)
	if err != nil {
		return err
	}
	us := 1e6 / r.Machine.Clock.Value // of a cycle
	events := append(chromeEvents("simulated", 0, own, us), chromeEvents("recorded", 1, calls, us)...)
	return atomicfile.Write(o.both, func(w io.Writer) error {
		return json.NewEncoder(w).Encode(map[string]any{"traceEvents": events, "displayTimeUnit": "ns"})
	})
}

// chromeEvents are those of a process of a Chrome trace that has the cores as threads and their calls; us is the microseconds of a cycle.
func chromeEvents(name string, pid int, cores []recording.Calls, us float64) []map[string]any {
	first := int64(-1)
	for _, c := range cores {
		if len(c.Spans) > 0 && (first < 0 || c.Spans[0].From < first) {
			first = c.Spans[0].From
		}
	}
	events := []map[string]any{{"name": "process_name", "ph": "M", "pid": pid, "args": map[string]any{"name": name}}}
	for tid, c := range cores {
		core := map[string]any{"name": fmt.Sprintf("core %d, %d", c.Col, c.Row)}
		events = append(events, map[string]any{"name": "thread_name", "ph": "M", "pid": pid, "tid": tid, "args": core})
		for _, v := range c.Spans {
			events = append(events, map[string]any{"name": "call", "ph": "X", "pid": pid, "tid": tid,
				"ts": float64(v.From-first) * us, "dur": float64(v.To-v.From) * us})
		}
	}
	return events
}
