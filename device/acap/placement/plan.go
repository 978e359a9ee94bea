package placement

import (
	"slices"

	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/engine"
	"github.com/go-acap/acap/ops"
)

// Plan is the mappings of a program's kernels and their places on an array.
type Plan struct {
	array   *Array
	placed  []Kernel
	saved   float64          // seconds of a run, by the placement of kernels
	kept    report.Kept      // what remains between launches
	piped   *pipeline        // of a batch, nil for none
	whole   bool             // the program is one group of kernels, and nothing runs on the host
	results []ops.TensorType // of the program
}

// Program has the facts of a program that a plan needs.
type Program struct {
	Groups    []Group
	Fallbacks int // calls that run on the host
	Results   []ops.TensorType
}

// Group is the kernels of a group, and how often a run goes through them: see [report.Kernel].
type Group struct {
	Kernels []engine.KernelInfo
	Turns   schedule.Turns
	Open    bool
	Carried []int // inputs whose memory results may take: see compiler.Group
}

// New maps the kernels of a program onto an array, or takes the mappings that are given, and finds places for them.
func New(a *Array, of Program, given Mappings) *Plan {
	p := &Plan{array: a, placed: a.kernels(of), results: of.Results,
		whole: len(of.Groups) == 1 && of.Groups[0].Turns.All() == 1 && of.Fallbacks == 0}
	a.place(p.placed, given)
	if a.Machine.Programmed() {
		p.arrange()
		p.piped = p.pipe()
	}
	return p
}

// kernels describes the kernels of a program.
func (a *Array) kernels(of Program) (list []Kernel) {
	for i, g := range of.Groups {
		for _, k := range g.Kernels {
			q := Kernel{kernel: k, group: i, turns: g.Turns, open: g.Open}
			q.work, q.err = a.describe(k.Name, k.Kernel, slices.Contains(g.Carried, k.Replaces))
			list = append(list, q)
		}
	}
	return list
}

// Described returns the kernels of a program as rows without mappings and times.
func Described(a *Array, of Program) (rows []report.Kernel) {
	for _, q := range a.kernels(of) {
		rows = append(rows, q.described())
	}
	return rows
}

// arrange chooses what remains in mem tiles, and where kernels are placed: weights resident from run to run, then
// arrays that pass from launch to launch, if a run is shorter with them.
func (p *Plan) arrange() {
	p.keepWeights()
	weights, s := p.choices(), newPlacementSearch(p.array)
	p.place(s)
	placed, seconds, saved := p.choices(), p.seconds(), p.saved
	if fits := p.fits(); !fits || saved > 0 && slices.ContainsFunc(weights, keepsWeights) {
		// Kernels on fewer cores may need more of a mem tile, and resident weights are in the way of others.
		for i := range p.placed {
			p.placed[i].choice = p.placed[i].mapped
		}
		none := p.choices()
		p.place(s)
		if !fits {
			weights = none
		}
		if !fits || p.seconds() < seconds {
			placed, seconds, saved = p.choices(), p.seconds(), p.saved
		}
	}
	p.restore(weights)
	arrays, bytes := p.retain()
	if arrays > 0 {
		if p.place(s); p.fits() && p.seconds() < seconds {
			p.kept = report.Kept{Arrays: arrays, Bytes: bytes, Saved: seconds - p.seconds()}
			return
		}
	}
	p.restore(placed)
	p.saved = saved
}

// choices returns the choices of all kernels, and restore takes them back.
func (p *Plan) choices() []*mapper.Choice {
	list := make([]*mapper.Choice, len(p.placed))
	for i := range p.placed {
		list[i] = p.placed[i].choice
	}
	return list
}

func (p *Plan) restore(choices []*mapper.Choice) {
	for i, c := range choices {
		p.placed[i].choice = c
	}
}

// keepsWeights reports whether weights remain.
func keepsWeights(c *mapper.Choice) bool { return c != nil && c.Mapping.Resident > 0 }

// schedules returns the programs of a run.
func (p *Plan) schedules() []schedule.Program {
	var kernels []report.Kernel
	for i := range p.placed {
		kernels = append(kernels, p.placed[i].Row())
	}
	return report.Programs(kernels)
}

// seconds returns the seconds of a run.
func (p *Plan) seconds() float64 {
	sum := 0.0
	for _, s := range p.schedules() {
		sum += s.Cost(p.array.Machine).Seconds()
	}
	return sum
}

// Report says what the array does with one run of the program.
func (p *Plan) Report() *report.Report {
	r := &report.Report{Machine: p.array.Machine, Name: p.array.Machine.Name}
	for i := range p.placed {
		r.Kernels = append(r.Kernels, p.placed[i].Row())
	}
	r.Placed, r.Kept = p.saved, p.kept
	if p.piped != nil {
		return p.piped.report(p, r)
	}
	return r
}
