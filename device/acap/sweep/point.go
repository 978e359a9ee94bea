package sweep

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/timing"
)

// Point is one machine of a sweep and what the model takes on it.
type Point struct {
	Machine   string             `json:"machine"`
	Set       map[string]float64 `json:"set,omitempty"`
	Cores     int                `json:"cores"`
	Memory    int                `json:"memory_bytes"` // of cores and mem tiles, or of scratchpads
	Bandwidth float64            `json:"ddr_bytes_per_second"`
	Seconds   float64            `json:"seconds"`
	Ideal     float64            `json:"ideal_seconds"`
	PeakShare float64            `json:"peak_share"`
	ReadL3    int64              `json:"l3_read_bytes"`
	WriteL3   int64              `json:"l3_write_bytes"`
	Joules    float64            `json:"joules_estimate"`
	Bound     string             `json:"bound"`
	Pareto    bool               `json:"pareto"` // no other point beats this one in both cost and time
	Error     string             `json:"error,omitempty"`
}

// Progress is how far a sweep is.
type Progress struct {
	Machines int // that are done
	Mapped   int // kernels that differ, on all machines
}

// Evaluate maps and times the kernels on the machines from one point to before another, on all
// processors. After each machine, and each kernel that is mapped, it calls progress, which may be nil; calls do not
// overlap. A machine that cannot be is an error; one that a kernel does not fit says so in its point.
func (g *Grid) Evaluate(from, to int, kernels []report.Kernel, progress func(Progress)) ([]*Point, error) {
	points, errs := make([]*Point, to-from), make([]error, to-from)
	var wait sync.WaitGroup
	var mu sync.Mutex
	var next atomic.Int64
	var at Progress
	step := func(count *int) {
		mu.Lock()
		defer mu.Unlock()
		if *count++; progress != nil {
			progress(at)
		}
	}
	for range min(runtime.GOMAXPROCS(0), len(points)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(points); i = int(next.Add(1)) - 1 {
				p, m, err := g.machine(from + i)
				if points[i], errs[i] = p, err; err == nil {
					p.evaluate(m, kernels, func() { step(&at.Mapped) })
				}
				step(&at.Machines)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return points, nil
}

// Seconds returns what kernels take on a machine, a preset or a JSON file. A machine that cannot be, or that a kernel
// does not fit, is an error.
func Seconds(name string, kernels []report.Kernel) (float64, error) {
	grid, err := NewGrid([]string{name}, nil)
	if err != nil {
		return 0, err
	}
	points, err := grid.Evaluate(0, 1, kernels, nil)
	if err != nil {
		return 0, err
	}
	if p := points[0]; p.Error != "" {
		return 0, fmt.Errorf("%s: %s", name, p.Error)
	}
	return points[0].Seconds, nil
}

func (p *Point) evaluate(m *machine.Machine, kernels []report.Kernel, mapped func()) {
	p.Cores = m.Grid.Cores()
	p.Memory = p.Cores*m.Core.Memory.Int() + m.Grid.Cols*m.Grid.MemRows*m.Mem.Memory.Int()
	for _, pad := range []machine.Constant{m.Scratchpads.Input, m.Scratchpads.Filter, m.Scratchpads.Output} {
		p.Memory += pad.Int()
	}
	p.Bandwidth = m.DDR.Read.Value
	seen := make(map[string]*mapper.Choice)
	bound := make(map[string]float64)
	mine := report.Report{Machine: m, Kernels: slices.Clone(kernels)}
	for i := range mine.Kernels {
		k := &mine.Kernels[i]
		k.Work = timing.Stored(m, k.Work)
		key := k.Work.Key()
		c := seen[key]
		if c == nil {
			var err error
			if c, err = mapper.Map(m, k.Work); err != nil {
				p.Error = fmt.Sprintf("%s: %v", k.Name, firstClause(err))
				return
			}
			seen[key] = c
			mapped()
		}
		k.Mapping, k.Timing, k.Alone, k.Resident, k.Problem = c.Mapping, c.Timing, c.Timing, nil, ""
		bound[k.Timing.OnArray().String()] += k.Array()
	}
	mine.Place()
	t := mine.Total()
	p.Seconds, p.Ideal, p.PeakShare, p.Joules = t.Seconds, t.Ideal, t.PeakShare, t.Joules
	p.ReadL3, p.WriteL3 = t.ReadL3, t.WriteL3
	for name, s := range bound {
		if b := bound[p.Bound]; s > b || s == b && name < p.Bound {
			p.Bound = name
		}
	}
}

// firstClause leaves of an error of the mapper what it could not do, and the commonest reason.
func firstClause(err error) string {
	s, rest, more := strings.Cut(err.Error(), ";")
	if !more {
		return s
	}
	reason, _, _ := strings.Cut(rest, ";")
	why, example, _ := strings.Cut(reason, ", for example")
	if _, detail, ok := strings.Cut(example, ": "); ok {
		why += ": " + detail
	}
	return s + ";" + why
}
