package explorer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/report"
)

// WhatIf says what would change the time: the part "whatif".
type WhatIf struct {
	Machine    string          `json:"machine"`
	Seconds    float64         `json:"seconds"`    // as it is
	Changes    []report.WhatIf `json:"changes"`    // of one respect each
	Machines   []string        `json:"machines"`   // to choose from
	Precisions []string        `json:"precisions"` // to choose from
	Runs       []Elsewhere     `json:"runs"`       // computed beforehand
	// Asked says that runs on other machines and in other precisions are computed when somebody asks for them.
	Asked bool `json:"asked,omitempty"`
}

// Elsewhere is the program on another machine or with another precision: the part
// "whatif/MACHINE/PRECISION".
type Elsewhere struct {
	Machine   string            `json:"machine"`
	Precision string            `json:"precision"`
	Seconds   float64           `json:"seconds"`
	PeakShare float64           `json:"peak_share"`
	Joules    float64           `json:"joules"` // an estimate
	Verdict   string            `json:"verdict"`
	Missing   int               `json:"missing"` // kernels that the machine cannot run
	Kernels   []ElsewhereKernel `json:"kernels"`
}

// ElsewhereKernel is a kernel on another machine. With another precision there may be other
// kernels than in the program.
type ElsewhereKernel struct {
	Name    string  `json:"name"`
	Calls   []int   `json:"calls"`
	Seconds float64 `json:"seconds"` // that it adds to a run, with the host's call for the first of a group
	Bound   string  `json:"bound,omitempty"`
	Problem string  `json:"problem,omitempty"`
}

// mostBeforehand is the kernels that differ of programs that are put on all machines beforehand.
const mostBeforehand = 10

// asRecorded is the precision that the program has.
const asRecorded = "as recorded"

var precisions = []string{asRecorded, dtype.BF16.String(), dtype.F16.String()}

func (e *Explorer) whatIfPart(ctx context.Context, which string) (any, error) {
	if which != "" {
		name, precision, _ := strings.Cut(which, "/")
		return e.elsewhere(ctx, name, precision)
	}
	r, _, err := e.arrayReport(ctx)
	if err != nil {
		return nil, err
	}
	w := &WhatIf{Machine: r.Name, Seconds: r.Total().Seconds, Changes: r.WhatIfs(), Machines: e.machines(), Precisions: precisions,
		Runs: []Elsewhere{}, Asked: r.Distinct() > mostBeforehand}
	for _, m := range w.Machines {
		for _, p := range precisions {
			if own := m == r.Name; p != asRecorded && (!own || w.Asked) || !own && w.Asked {
				continue
			}
			run, err := e.elsewhere(ctx, m, p)
			if err != nil {
				return nil, err
			}
			w.Runs = append(w.Runs, *run)
		}
	}
	return w, nil
}

// machines names the program's own machine and the presets.
func (e *Explorer) machines() []string {
	own := e.machine().Name
	list := []string{own}
	for _, n := range machine.Names() {
		if n != own {
			list = append(list, n)
		}
	}
	return list
}

// elsewhere maps and times the program on a machine with a precision.
func (e *Explorer) elsewhere(ctx context.Context, name, precision string) (*Elsewhere, error) {
	if !e.onArray() {
		return nil, errNoArray
	}
	if !slices.Contains(e.machines(), name) || !slices.Contains(precisions, precision) {
		return nil, fmt.Errorf("%w: no machine %q or no precision %q", errNoPart, name, precision)
	}
	r, err := e.reportOn(ctx, name, precision)
	if err != nil {
		return nil, err
	}
	t := r.Total()
	out := &Elsewhere{Machine: name, Precision: precision, Seconds: t.Seconds, PeakShare: t.PeakShare, Joules: t.Joules,
		Verdict: r.Verdict(), Missing: t.Missing, Kernels: []ElsewhereKernel{}}
	for i, adds := range r.Adds() {
		k := &r.Kernels[i]
		if k.Once {
			continue
		}
		calls := callsOf(k.Locations...)
		if calls == nil {
			calls = []int{}
		}
		out.Kernels = append(out.Kernels, ElsewhereKernel{k.Name, calls, adds.Seconds(), k.Bound, k.Problem})
	}
	return out, nil
}

// reportOn compiles the program for a machine, with products in a precision.
func (e *Explorer) reportOn(ctx context.Context, name, precision string) (*report.Report, error) {
	config := e.program.Device.(device.Backed).Config()
	m := e.machine()
	if name == m.Name && precision == asRecorded {
		return e.report(ctx)
	}
	if name != m.Name {
		var err error
		if m, err = machine.Preset(name); err != nil {
			return nil, err
		}
	}
	if precision != asRecorded {
		to, err := dtype.Parse(precision)
		if err != nil {
			return nil, err
		}
		config = config.WithAutocast(to)
	}
	exe, err := acap.New(m).With(config).Compile(ctx, clone(e.module))
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	r := acap.ReportOf(exe)
	r.Written = e.written()
	return r, nil
}
