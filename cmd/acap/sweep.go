package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/report"
)

func init() {
	register(command{"sweep", "map and time a model on many machines", sweepModel})
}

type sweepFlags struct {
	machines, plot, cost string
	inputs, set          list
	json                 bool
}

func sweepModel(args []string) error {
	var o sweepFlags
	f := newFlags("sweep", "MODEL [flags]")
	f.StringVar(&o.machines, "machine", "npu1", "presets or JSON files, separated by commas")
	f.Var(&o.set, "set", "vary a field, `name=values`: cols=1:8, l1=32k,64k, ddr.read=8e9:64e9:8e9; "+
		"names are "+strings.Join(shortNames(), ", ")+" or a path in `acap machines -json`; repeat for more")
	f.Var(&o.inputs, "input", "an input, .npy or .png; repeat for more (default: input_N.npy beside the model)")
	f.StringVar(&o.plot, "plot", "", "draw time against cost with the Pareto front in this `file`, .svg or .png")
	f.StringVar(&o.cost, "cost", "cores", "cost of -plot: cores, memory, bandwidth or joules")
	f.BoolVar(&o.json, "json", false, "print JSON")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		f.Usage()
		return errUsage
	}
	return o.run(rest[0])
}

func (o *sweepFlags) run(model string) error {
	kernels, err := kernelsOf(model, o.inputs)
	if err != nil {
		return err
	}
	points, err := sweepPoints(strings.Split(o.machines, ","), o.set)
	if err != nil {
		return err
	}
	evaluate(points, kernels, progressOn(os.Stderr))
	if o.plot != "" {
		if err := plotSweep(points, model+": time against "+o.cost, o.cost, o.plot); err != nil {
			return err
		}
	}
	if o.json {
		return json.NewEncoder(stdout).Encode(points)
	}
	return writeSweep(stdout, points)
}

// kernelsOf compiles a model and returns its kernels; the machine does not matter
// for what they are.
func kernelsOf(model string, files []string) ([]report.Kernel, error) {
	inputs, err := modelInputs(model, files)
	if err != nil {
		return nil, err
	}
	module, err := loadModuleFor(model, inputs)
	if err != nil {
		return nil, err
	}
	exe, err := acap.Device().Compile(context.Background(), module)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", model, err)
	}
	defer exe.Close()
	var out []report.Kernel
	for _, k := range acap.ReportOf(exe).Kernels {
		if k.Work != nil && !k.Once {
			out = append(out, k)
		}
	}
	return out, nil
}

// point is one machine of a sweep and what the model takes on it.
type point struct {
	Machine   string             `json:"machine"`
	Set       map[string]float64 `json:"set,omitempty"`
	Cores     int                `json:"cores"`
	Memory    int                `json:"memory_bytes"` // of cores and mem tiles
	Bandwidth float64            `json:"ddr_bytes_per_second"`
	Seconds   float64            `json:"seconds"`
	Ideal     float64            `json:"ideal_seconds"`
	PeakShare float64            `json:"peak_share"`
	ReadL3    int64              `json:"l3_read_bytes"`
	WriteL3   int64              `json:"l3_write_bytes"`
	Joules    float64            `json:"joules_estimate"`
	Bound     string             `json:"bound"`
	Pareto    bool               `json:"pareto"` // no other point has fewer cores and less time
	Error     string             `json:"error,omitempty"`

	names   []string
	machine *machine.Machine
}

// evaluate maps and times the kernels on every machine, on all processors.
func evaluate(points []*point, kernels []report.Kernel, progress func(done, of int)) {
	next := make(chan *point)
	var wait sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range runtime.GOMAXPROCS(0) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for p := range next {
				p.evaluate(kernels)
				mu.Lock()
				done++
				progress(done, len(points))
				mu.Unlock()
			}
		}()
	}
	for _, p := range points {
		next <- p
	}
	close(next)
	wait.Wait()
	markPareto(points, func(p *point) float64 { return float64(p.Cores) },
		func(p *point) { p.Pareto = true })
}

func (p *point) evaluate(kernels []report.Kernel) {
	m := p.machine
	p.Cores = m.Grid.Cores()
	p.Memory = p.Cores*m.Core.Memory.Int() + m.Grid.Cols*m.Grid.MemRows*m.Mem.Memory.Int()
	p.Bandwidth = m.DDR.Read.Value
	seen := make(map[string]*mapper.Choice)
	bound := make(map[string]float64)
	mine := report.Report{Machine: m, Kernels: slices.Clone(kernels)}
	for i := range mine.Kernels {
		k := &mine.Kernels[i]
		key := k.Work.Key()
		c := seen[key]
		if c == nil {
			var err error
			if c, err = mapper.Map(m, k.Work); err != nil {
				p.Error = fmt.Sprintf("%s: %v", k.Name, firstClause(err))
				return
			}
			seen[key] = c
		}
		k.Mapping, k.Timing, k.Problem = c.Mapping, c.Timing, ""
		bound[k.Timing.Bound.String()] += k.Timing.Seconds
	}
	t := mine.Total()
	p.Seconds, p.Ideal, p.PeakShare, p.Joules = t.Seconds, t.Ideal, t.PeakShare, t.Joules
	p.ReadL3, p.WriteL3 = t.ReadL3, t.WriteL3
	for name, s := range bound {
		if b := bound[p.Bound]; s > b || s == b && name < p.Bound {
			p.Bound = name
		}
	}
}

// firstClause drops the list of examples from an error of the mapper.
func firstClause(err error) string {
	s, _, _ := strings.Cut(err.Error(), ";")
	return s
}

// markPareto marks the points that no other beats in both cost and time.
func markPareto(points []*point, cost func(*point) float64, mark func(*point)) {
	for _, p := range points {
		best := p.Error == ""
		for _, q := range points {
			if q.Error == "" && cost(q) <= cost(p) && q.Seconds <= p.Seconds &&
				(cost(q) < cost(p) || q.Seconds < p.Seconds) {
				best = false
			}
		}
		if best {
			mark(p)
		}
	}
}

// writeSweep prints the points as CSV.
func writeSweep(w io.Writer, points []*point) error {
	out := csv.NewWriter(w)
	head := []string{"machine"}
	if len(points) > 0 {
		head = append(head, points[0].names...)
	}
	out.Write(append(head, "cores", "memory_bytes", "ddr_bytes_per_second", "seconds", "ideal_seconds",
		"peak_share", "l3_read_bytes", "l3_write_bytes", "joules_estimate", "bound", "pareto", "error"))
	f := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	for _, p := range points {
		row := []string{p.Machine}
		for _, n := range p.names {
			row = append(row, strconv.FormatFloat(p.Set[n], 'g', -1, 64))
		}
		out.Write(append(row, strconv.Itoa(p.Cores), strconv.Itoa(p.Memory), f(p.Bandwidth),
			f(p.Seconds), f(p.Ideal), f(p.PeakShare), strconv.FormatInt(p.ReadL3, 10),
			strconv.FormatInt(p.WriteL3, 10), f(p.Joules), p.Bound, strconv.FormatBool(p.Pareto), p.Error))
	}
	out.Flush()
	return out.Error()
}

// progressOn counts the points on a terminal, and does nothing elsewhere.
func progressOn(f *os.File) func(done, of int) {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return func(int, int) {}
	}
	return func(done, of int) {
		fmt.Fprintf(f, "\r%d of %d machines", done, of)
		if done == of {
			fmt.Fprintln(f)
		}
	}
}
