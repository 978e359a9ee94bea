package report

import (
	"fmt"
	"strings"
	"sync"

	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/mlir"
)

// Report says what a machine did with the kernels of a program, in order.
type Report struct {
	Machine   *machine.Machine
	Name      string
	Kernels   []Kernel
	Fallbacks map[string]int // calls on the host, by operator
	// Placed is the seconds of a run that are saved by where kernels are placed: side by side, each with
	// its code in its own cores.
	Placed float64
	// Kept is the arrays that pass from launch to launch in mem tiles.
	Kept Kept
	// Pipeline is the decision on a batch, nil where there is none. Where a pipeline is taken, the kernels are the
	// kernels of one sample, stage after stage.
	Pipeline *Pipeline
	// Written is bytes of inputs that the host hands over before every run.
	Written int64
}

// Kernel is one kernel's row.
type Kernel struct {
	Name      string           `json:"name"`
	Where     string           `json:"where,omitempty"` // source lines
	Locations []mlir.Location  `json:"-"`
	Work      *workload.Kernel `json:"-"`
	Choice    *mapper.Choice   `json:"-"` // nil when there is only a time
	Mapping   mapping.Mapping  `json:"-"`
	Timing    timing.Timing    `json:"timing,omitzero"`
	Alone     timing.Timing    `json:"-"` // of the kernel if there were no others
	// Resident is the bytes of weights resident in each mem tile from run to run.
	Resident map[machine.Coord]int `json:"-"`
	Layout   string                `json:"mapping,omitempty"`
	Bound    string                `json:"bound,omitempty"` // what bounds the array's work: timing.Timing.OnArray
	// Once says that the kernel computes from constants alone: it is run when the model is
	// loaded, and its result kept.
	Once bool `json:"once,omitempty"`
	// Group numbers the groups of the program: the kernels of each run with one call.
	Group int `json:"group"`
	// Stage is where in a pipeline the kernel runs, on a machine of the stage's columns; nil where there is none.
	Stage *Stage `json:"stage,omitempty"`
	// Turns is how often a run goes through the kernel's group, which may be in a loop. Open says that data decides how
	// often, or whether at all: one turn is counted.
	Turns schedule.Turns `json:"turns,omitzero"`
	Open  bool           `json:"turns_open,omitempty"`
	// Problem says why the array cannot run the kernel; its time is then unknown.
	Problem string `json:"problem,omitempty"`

	events *simulated
}

// Total is the sum over the kernels of a run that have a time.
type Total struct {
	Seconds float64 `json:"seconds"` // of a run, as Cost adds up
	// Cost tells the seconds of a run that the host, launches and the array take. Separate tells them for a run with a
	// call for every kernel.
	Cost     schedule.Cost `json:"cost"`
	Separate schedule.Cost `json:"separate"`
	Calls    int           `json:"calls"` // of the host
	// Loads is the number of launches of a run before which cores are loaded, and LoadsSaved the seconds that it would
	// take more to load them for every launch.
	Loads      int           `json:"loads"`
	LoadsSaved float64       `json:"loads_saved"`
	PlaceSaved float64       `json:"place_saved"` // by the placement of kernels
	Residency  Residency     `json:"residency"`
	Kept       Kept          `json:"kept"`
	Cycles     float64       `json:"cycles"`
	MACs       int64         `json:"macs"`
	Ops        float64       `json:"ops"`
	ReadL3     int64         `json:"l3_read"`
	WriteL3    int64         `json:"l3_write"`
	L2         int64         `json:"l2"`
	L1         int64         `json:"l1"`
	PeakShare  float64       `json:"peak_share"`      // multiply-accumulates over time, of the machine's peak
	Ideal      float64       `json:"ideal_seconds"`   // at peak with compulsory bytes only
	Joules     float64       `json:"joules_estimate"` // an estimate
	Energy     timing.Energy `json:"energy_estimate"` // the same, by what takes it
	// JoulesLow and JoulesHigh are between which the energy lies by the machine's own doubt.
	JoulesLow  float64       `json:"joules_low,omitempty"`
	JoulesHigh float64       `json:"joules_high,omitempty"`
	Stalls     timing.Stalls `json:"stalls"`
	Kernels    int           `json:"kernels"`
	Launches   int           `json:"launches"` // of kernels: those in loops have one for every turn
	Missing    int           `json:"missing"`  // kernels that the machine cannot run
	// Work that is done once for a model is in none of the other sums.
	OnceKernels int     `json:"once_kernels,omitempty"`
	OnceSeconds float64 `json:"once_seconds,omitempty"`
}

// Total adds up the kernels.
func (r *Report) Total() Total {
	var t Total
	peak, alone, restarts := 0.0, 0.0, 0.0
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Problem != "" {
			t.Missing++
			continue
		}
		if k.Once {
			t.OnceKernels++
			continue
		}
		t.Kernels++
		n, whole := int64(k.Runs()), k.weight(r.Machine)
		t.Launches += k.Runs()
		alone += float64(whole * k.Timing.Seconds)
		t.MACs += n * k.Timing.MACs
		t.Ops += float64(float64(n) * k.Work.Ops())
		t.ReadL3 += n * k.Timing.ReadL3
		t.WriteL3 += n * k.Timing.WriteL3
		t.L2 += n * k.Timing.L2
		t.L1 += n * k.Timing.L1
		t.Ideal += float64(whole * k.Timing.Ideal)
		t.Energy.Add(k.Timing.Energy, float64(n))
		s, u := &t.Stalls, &k.Timing.Stalls
		s.Compute += float64(whole * u.Compute)
		s.Call += float64(whole * u.Call)
		s.DMA += float64(whole * u.DMA)
		s.Output += float64(whole * u.Output)
		s.Fill += float64(whole * u.Fill)
		restarts += float64(whole * k.Timing.Restart)
		peak += float64(whole * k.Timing.PeakShare * k.Timing.Seconds)
	}
	if p := r.stages(); p != nil {
		r.staged(&t, p)
	} else {
		r.layered(&t)
	}
	for _, p := range r.parts(true) {
		cost := p.Cost(r.Machine)
		t.OnceSeconds += cost.Seconds()
	}
	t.PlaceSaved, t.Residency, t.Kept = r.Placed, r.Residency(), r.Kept
	t.Seconds = t.Cost.Seconds()
	t.Cycles = t.Seconds * r.Machine.Clock.Value
	t.Stalls.Host = t.Cost.Host() + t.Cost.Launch() + restarts
	t.Stalls.Fill -= t.Cost.Early
	if s := &t.Stalls; r.Pipeline != nil && r.Pipeline.Taken { // until the last stage has begun, after the first has ended, and for slower ones
		s.Host = t.Cost.Host() + restarts
		s.Fill = max(0, t.Seconds-s.Host-s.Compute-s.Call-s.DMA-s.Output)
	}
	t.Energy.Rest += float64((t.Seconds - alone) * r.Machine.Energy.Static.Value)
	t.Joules = t.Energy.Array() + t.Energy.Outside
	if spread := r.Machine.Energy.Spread.Value; spread > 0 {
		t.JoulesLow, t.JoulesHigh = t.Joules/spread, t.Joules*spread
	}
	if t.Seconds > 0 {
		t.PeakShare = peak / t.Seconds
	}
	return t
}

// layered adds up the programs of a run.
func (r *Report) layered(t *Total) {
	programs := Programs(r.Kernels)
	for i := range programs {
		p := &programs[i]
		t.Calls += p.Turns.HostCalls()
		if i == 0 {
			p.Written = r.Written
		}
		cost := p.Cost(r.Machine)
		loads, more := p.Reloads(r.Machine)
		t.Loads, t.LoadsSaved = t.Loads+loads, t.LoadsSaved+more
		t.Cost.Add(cost, 1)
		t.Separate.Add(p.Separate(r.Machine), 1)
	}
}

// Err says which kernels the machine cannot run and why, nil if it runs all of them.
func (r *Report) Err() error {
	missing := 0
	var first *Kernel
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem != "" {
			if missing++; first == nil {
				first = k
			}
		}
	}
	if first == nil {
		return nil
	}
	return fmt.Errorf("%d of %d kernels cannot run on %s: %s: %s", missing, len(r.Kernels), r.Name,
		first.Name, strings.ReplaceAll(first.Problem, "\n", "; "))
}

// simulated is the event engine's account of a kernel's program.
type simulated struct {
	result *event.Result
	err    error
}

// Simulate runs the event engine over the program of every kernel that has one, once for
// those that have the same. Functions that need it call it; a second call does nothing.
func (r *Report) Simulate() {
	var wait sync.WaitGroup
	known := make(map[*mapper.Choice]*simulated)
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Choice == nil || k.events != nil {
			continue
		}
		if k.events = known[k.Choice]; k.events != nil {
			continue
		}
		k.events = new(simulated)
		known[k.Choice] = k.events
		wait.Add(1)
		go func() {
			defer wait.Done()
			k.events.result, k.events.err = k.Events(event.Options{})
		}()
	}
	wait.Wait()
}

// Events runs the event engine over the kernel's program. The host's time is taken from the time model. A mapping
// without a program is an error, and so is a program that does not end.
func (k *Kernel) Events(o event.Options) (*event.Result, error) { return k.on(k.Choice.Machine, o) }

// on is Events on a machine that takes other times.
func (k *Kernel) on(m *machine.Machine, o event.Options) (*event.Result, error) {
	p, err := k.Choice.Program()
	if err != nil {
		return nil, err
	}
	p.Machine = m
	o.Launch, o.Restart = k.Timing.Launch, k.Timing.Pause
	if o.Restart == 0 {
		o.Restart = -1
	}
	return event.Run(p, o)
}

// Event returns the result of [Report.Simulate]; nil when the kernel has no
// program, which the error then explains.
func (k *Kernel) Event() (*event.Result, error) {
	if k.events == nil {
		return nil, nil
	}
	return k.events.result, k.events.err
}
