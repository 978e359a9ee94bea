package acap

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/engine"
)

// Program is an executable with a mapping of each of its kernels. Kernels are
// mapped when their account is first asked for; running does not wait for it.
type Program struct {
	*compiler.Executable
	array       *Array
	*placements // all handles have the same
}

// placements are the mappings of a program's kernels.
type placements struct {
	once   sync.Once
	placed []placement
	saved  float64                  // seconds of a run, by the placement of kernels
	kept   report.Kept              // what remains between launches
	given  map[string]mapper.Stored // mappings that were stored with the program
	piped  *pipeline                // of a batch, nil for none
}

// NewHandle implements [device.Executable].
func (p *Program) NewHandle() device.Executable {
	return &Program{Executable: p.Share(), array: p.array, placements: p.placements}
}

// placement is a kernel with its mapping, or the reason why it has none.
type placement struct {
	kernel engine.KernelInfo
	group  int
	work   *workload.Kernel
	mapped *mapper.Choice // alone on the array
	choice *mapper.Choice // in its group
	stage  *report.Stage  // of a pipeline, nil outside
	err    error
}

func (p *Program) mapped() []placement {
	p.once.Do(func() {
		for i, g := range p.Groups() {
			for _, k := range g.Program.Kernels() {
				q := placement{kernel: k, group: i}
				q.work, q.err = p.array.describe(k.Name, k.Kernel)
				p.placed = append(p.placed, q)
			}
		}
		p.array.place(p.placed, p.given)
		if p.array.machine.Programmed() {
			p.arrange()
			p.piped = p.pipe()
		}
	})
	return p.placed
}

// arrange chooses what remains in mem tiles, and where kernels are placed: weights resident from run to run, then
// arrays that pass from launch to launch, if a run is shorter with them.
func (p *Program) arrange() {
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
func (p *Program) choices() []*mapper.Choice {
	list := make([]*mapper.Choice, len(p.placed))
	for i := range p.placed {
		list[i] = p.placed[i].choice
	}
	return list
}

func (p *Program) restore(choices []*mapper.Choice) {
	for i, c := range choices {
		p.placed[i].choice = c
	}
}

// keepsWeights reports whether weights remain.
func keepsWeights(c *mapper.Choice) bool { return c != nil && c.Mapping.Resident > 0 }

// schedules returns the programs of a run.
func (p *Program) schedules() []schedule.Program {
	var kernels []report.Kernel
	for i := range p.placed {
		kernels = append(kernels, p.placed[i].report())
	}
	return report.Programs(kernels)
}

// seconds is those of a run.
func (p *Program) seconds() float64 {
	sum := 0.0
	for _, s := range p.schedules() {
		sum += s.Cost(p.array.machine).Seconds()
	}
	return sum
}

// place maps kernels, those that are alike once, on all processors.
func (a *Array) place(all []placement, given map[string]mapper.Stored) {
	alike := make(map[string][]*placement)
	var order []string
	for i := range all {
		q := &all[i]
		if q.err != nil {
			continue
		}
		key := q.work.Key()
		if alike[key] == nil {
			order = append(order, key)
		}
		alike[key] = append(alike[key], q)
	}
	next := make(chan string)
	var wait sync.WaitGroup
	for range min(len(order), runtime.GOMAXPROCS(0)) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for key := range next {
				same := alike[key]
				choice, err := a.mapKernel(key, same[0], given)
				for _, q := range same {
					q.mapped, q.choice, q.err = choice, choice, err
				}
			}
		}()
	}
	for _, key := range order {
		next <- key
	}
	close(next)
	wait.Wait()
}

// Report says what the array does with one run of the program.
func (p *Program) Report() *report.Report {
	r := &report.Report{Machine: p.array.machine, Name: p.array.machine.Name, Fallbacks: p.Fallbacks()}
	for _, q := range p.mapped() {
		r.Kernels = append(r.Kernels, q.report())
	}
	r.Placed, r.Kept = p.saved, p.kept
	if p.piped != nil {
		return p.piped.report(p, r)
	}
	return r
}

// report is the kernel's row of a report.
func (q *placement) report() report.Kernel {
	k := report.Kernel{Name: q.kernel.Name, Where: where(q.kernel), Locations: q.kernel.Locations,
		Work: q.work, Choice: q.choice, Once: q.kernel.Fixed, Group: q.group}
	if q.err != nil {
		k.Problem = q.err.Error()
		return k
	}
	k.Mapping, k.Timing, k.Alone = q.choice.Mapping, q.choice.Timing, q.mapped.Timing
	if k.Mapping.Resident > 0 {
		if built, err := q.choice.Program(); err == nil {
			k.Resident = built.ResidentBytes()
		}
	}
	k.Layout, k.Bound = k.Mapping.String(), k.Timing.OnArray().String()
	if q.stage != nil {
		q.staged(&k)
	}
	return k
}

// Kernels implements [device.Explained], with the time that the array would take.
func (p *Program) Kernels() []device.Kernel {
	list, placed := p.Executable.Kernels(), p.running()
	r := &report.Report{Machine: p.array.machine}
	for i := range placed {
		r.Kernels = append(r.Kernels, placed[i].report())
	}
	adds, next := r.Adds(), 0
	for i := range list {
		k := &list[i]
		if k.Kind == device.Fallback && k.Problem != "" {
			continue
		}
		row, added := &r.Kernels[next], &adds[next]
		next++
		if k.Problem = row.Problem; k.Problem != "" {
			continue
		}
		k.Call = added.Host()
		k.Seconds = k.Call + float64(row.Runs())*(added.Launch()+added.Work())
		k.Cycles, k.Bound, k.Mapping = k.Seconds*r.Machine.Clock.Value, row.Bound, row.Layout
	}
	return list
}

// where joins the distinct source positions of a kernel's operations.
func where(k engine.KernelInfo) string {
	var parts []string
	seen := map[string]bool{}
	for _, l := range k.Locations {
		if s := l.Short(); s != "" && !seen[s] {
			seen[s] = true
			parts = append(parts, s)
		}
	}
	const most = 3
	if len(parts) > most {
		parts = append(parts[:most], fmt.Sprintf("and %d more", len(parts)-most))
	}
	return strings.Join(parts, ", ")
}

// Text implements [device.Executable]; the stage "aie" is the array's programs at the
// level of object FIFOs, and "aie-lowered" at that of buffers, locks, descriptors and
// flows, each in the text of a version of mlir-aie behind an @ (see [program.Program.Text]); "aie-generic" is the devices of the latter in MLIR's generic form, and "aie-irdl" the
// definitions that an unmodified mlir-opt checks them with (see program.Program.Generic).
func (p *Program) Text(stage string) (string, error) {
	stage, version, given := strings.Cut(stage, "@") // of mlir-aie, such as aie@1.4
	if !given {
		version = program.Dialect
	}
	switch stage {
	case "aie", "aie-lowered", "aie-generic":
	case "aie-irdl":
		return program.Definitions, nil
	default:
		return p.Executable.Text(stage)
	}
	var b strings.Builder
	for _, q := range p.running() {
		if q.err != nil {
			return "", fmt.Errorf("%s: %w", q.kernel.Name, q.err)
		}
		// The program of the choice may be lowered already, and that of a like kernel.
		built, err := q.choice.Build()
		if err != nil {
			return "", fmt.Errorf("%s: %w", q.kernel.Name, err)
		}
		if built.Name = q.work.Name; q.stage != nil {
			built = built.Moved(p.array.machine, q.stage.Column)
		}
		switch stage {
		case "aie-generic":
			b.WriteString(built.Generic())
			continue
		case "aie-lowered":
			built.Lower()
		}
		text, err := built.Text(version)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// ReportOf returns the report of an executable of an array, or nil for one of
// another device.
func ReportOf(exe device.Executable) *report.Report {
	if p, ok := exe.(*Program); ok {
		return p.Report()
	}
	return nil
}
