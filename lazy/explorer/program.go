package explorer

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/compiler"
)

// Compiled is the program as its device runs it: the part "program".
type Compiled struct {
	Kernels  []Kernel           `json:"kernels"`
	Groups   []Group            `json:"groups"`
	Verdict  string             `json:"verdict,omitempty"`
	Total    *report.Total      `json:"total,omitempty"`
	Roofline []report.RoofPoint `json:"roofline,omitempty"` // their kernels are numbers in Kernels
	Share    float64            `json:"share"`              // of the work that is in groups of the device
	Warnings []string           `json:"warnings,omitempty"`
}

// Kernel is a kernel, or a call on the host.
type Kernel struct {
	Name    string  `json:"name"`
	Kind    string  `json:"kind"`
	Group   string  `json:"group,omitempty"`
	Calls   []int   `json:"calls"` // the calls in it
	Once    bool    `json:"once,omitempty"`
	MACs    int64   `json:"macs,omitempty"`
	Work    int64   `json:"work,omitempty"`
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds,omitempty"` // predicted, that it adds to a run
	Launch  float64 `json:"launch,omitempty"`  // of them to start it
	Array   float64 `json:"array,omitempty"`   // of them while the array works; the rest is the host's call for the group
	Cycles  float64 `json:"cycles,omitempty"`
	Cores   int     `json:"cores,omitempty"`
	OfPeak  float64 `json:"of_peak,omitempty"`
	Bound   string  `json:"bound,omitempty"`
	Mapping string  `json:"mapping,omitempty"`
	Problem string  `json:"problem,omitempty"`
}

// Group is a group of operations that the device runs, or what the host runs.
type Group struct {
	Title    string   `json:"title"`
	Function string   `json:"function"`
	Device   string   `json:"device"`
	Ops      []string `json:"ops"`
	Work     int64    `json:"work"`
	Kernels  []int    `json:"kernels"`
	Problem  string   `json:"problem,omitempty"`
}

// machine returns the machine of an array, nil elsewhere.
func (e *Explorer) machine() *machine.Machine {
	if a, ok := e.program.Device.(*acap.Array); ok {
		return a.Machine()
	}
	return nil
}

func (e *Explorer) onArray() bool { return e.machine() != nil }

// report is the array's report, nil on other devices.
func (e *Explorer) report(ctx context.Context) (*report.Report, error) {
	exe, err := e.executable(ctx)
	if err != nil {
		return nil, err
	}
	r := acap.ReportOf(exe)
	if r != nil {
		r.Written = e.written()
	}
	return r, nil
}

// written is the bytes of inputs that the host hands over before a run: those that are no weights.
func (e *Explorer) written() int64 {
	var bytes int64
	for _, f := range e.module.Funcs() {
		if f.Body() == nil || len(f.Body().Args) != len(e.program.Inputs) {
			continue
		}
		for i, a := range f.Body().Args {
			if slices.ContainsFunc(e.model.Inputs, func(in Input) bool { return in.Name+" "+in.Type == operandText(a) }) {
				bytes += int64(len(e.program.Inputs[i].Bytes()))
			}
		}
		break
	}
	return bytes
}

var errUnexplained = errors.New("the device does not say what its programs consist of")

func (e *Explorer) programOf(ctx context.Context) (*Compiled, error) {
	p, err := e.Part(ctx, "program")
	if err != nil {
		return nil, err
	}
	return p.(*Compiled), nil
}

// explained returns the program, if its device says what it consists of.
func (e *Explorer) explained(ctx context.Context) (device.Explained, error) {
	exe, err := e.executable(ctx)
	if err != nil {
		return nil, err
	}
	explained, ok := exe.(device.Explained)
	if !ok {
		return nil, errUnexplained
	}
	return explained, nil
}

func (e *Explorer) programPart(ctx context.Context, _ string) (any, error) {
	explained, err := e.explained(ctx)
	if err != nil {
		return nil, err
	}
	p := &Compiled{Kernels: []Kernel{}, Groups: []Group{}, Share: 1}
	for _, k := range explained.Kernels() {
		p.Kernels = append(p.Kernels, kernelOf(&k))
	}
	r, err := e.report(ctx)
	if err != nil {
		return nil, err
	}
	if r != nil {
		p.addReport(r)
	}
	if g, ok := explained.(device.Grouped); ok {
		p.Share, p.Warnings = device.Share(g.Division()), g.Warnings()
		p.addGroups(g.Division())
	}
	return p, nil
}

func kernelOf(k *device.Kernel) Kernel {
	calls := callsOf(k.Locations...)
	if calls == nil {
		calls = []int{}
	}
	return Kernel{Name: k.Name, Kind: k.Kind, Group: k.Group, Calls: calls, Once: k.Once, MACs: k.MACs, Work: k.Work,
		Bytes: k.Read + k.Written, Seconds: k.Seconds, Cycles: k.Cycles, Bound: k.Bound, Mapping: k.Mapping, Problem: k.Problem}
}

// addReport adds what the report of an array says.
func (p *Compiled) addReport(r *report.Report) {
	total := r.Total()
	p.Total, p.Verdict = &total, r.Verdict()
	of := p.numbers(r)
	adds := r.Adds()
	for i, n := range of {
		k := &r.Kernels[i]
		if k.Problem == "" {
			p.Kernels[n].Cores, p.Kernels[n].OfPeak = k.Timing.Cores, k.PeakShare()
			p.Kernels[n].Launch, p.Kernels[n].Array = adds[i].Launch(), adds[i].Work()
		}
	}
	for _, point := range r.Roofline() {
		point.Kernel = of[point.Kernel]
		p.Roofline = append(p.Roofline, point)
	}
}

// numbers returns the place among the kernels of each kernel of a report, which has them in the same
// order without the calls on the host.
func (p *Compiled) numbers(r *report.Report) []int {
	var of []int
	for n := range p.Kernels {
		if i := len(of); i < len(r.Kernels) && r.Kernels[i].Name == p.Kernels[n].Name {
			of = append(of, n)
		}
	}
	if len(of) != len(r.Kernels) {
		panic("BUG: explorer: the report has other kernels than the program")
	}
	return of
}

func (p *Compiled) addGroups(division []device.Group) {
	titles := device.Titles(division)
	for i, g := range division {
		x := Group{Title: cmp.Or(titles[i], "on "+g.Device), Function: g.Name, Device: g.Device, Ops: g.Ops, Work: g.Work,
			Problem: g.Problem, Kernels: []int{}}
		for n := range p.Kernels {
			if g.Name != "" && p.Kernels[n].Group == g.Name {
				x.Kernels = append(x.Kernels, n)
			}
		}
		p.Groups = append(p.Groups, x)
	}
}

// Measured is the time of the kernels on this machine, not on the array: the part "measured".
type Measured struct {
	Seconds float64   `json:"seconds"`
	Kernels []float64 `json:"kernels"` // seconds of each
}

func (e *Explorer) measuredPart(ctx context.Context, _ string) (any, error) {
	explained, err := e.explained(ctx)
	if err != nil {
		return nil, err
	}
	if e.program.Inputs == nil {
		return nil, errors.New("there are no inputs to run the program on")
	}
	m := &Measured{Kernels: []float64{}}
	for range 2 { // the first run computes what is kept
		_, took, err := explained.RunTimed(ctx, e.program.Inputs)
		if err != nil {
			return nil, err
		}
		*m = Measured{Kernels: m.Kernels[:0]}
		for _, d := range took {
			m.Kernels = append(m.Kernels, d.Seconds())
			m.Seconds += d.Seconds()
		}
	}
	return m, nil
}

// grouper is an executable of package compiler.
type grouper interface{ Groups() []compiler.Group }
