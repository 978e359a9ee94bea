package beside

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/report"
)

// Share is the time and the memory traffic of a model that runs beside others.
type Share struct {
	Machine string  `json:"machine"`
	Columns int     `json:"columns"`
	Alone   float64 `json:"alone_seconds"`  // of a run with all of the memory
	Seconds float64 `json:"seconds"`        // of a run, on average
	Runs    int     `json:"runs"`           // that ended while the others ran, too
	Waits   float64 `json:"waits"`          // share of its time that it takes more for the memory
	Wants   float64 `json:"memory_wanted"`  // share of the memory's time that it takes alone
	Gets    float64 `json:"memory_used"`    // and among the others
	Bytes   float64 `json:"bytes_a_second"` // that it reads and writes among the others
}

// least is how many runs each model makes at least, and steps bounds the phases of all models together.
const (
	least = 16
	steps = 1 << 20
)

// Run says how long the runs of reports take that run at the same time on the memory of one machine. It is an error
// when the machine has no model of a shared memory, or a report has no time.
func Run(m *machine.Machine, reports []*report.Report) ([]Share, error) {
	if !m.Programmed() {
		return nil, fmt.Errorf("%s has a memory for each scratchpad, which nobody shares", m.Name)
	}
	tenants := make([]*tenant, len(reports))
	shares := make([]Share, len(reports))
	for i, r := range reports {
		t, err := newTenant(&m.DDR, r.Layers())
		if err != nil {
			return nil, err
		}
		tenants[i] = t
		shares[i] = Share{Machine: r.Machine.Name, Columns: r.Machine.Grid.Cols, Alone: t.alone, Wants: t.used / t.alone}
	}
	now := 0.0
	for range steps {
		if now > 0 && done(tenants) {
			break
		}
		share(tenants)
		step := math.Inf(1)
		for _, t := range tenants {
			step = min(step, t.left*t.slower)
		}
		now += step
		for _, t := range tenants {
			t.advance(step, now)
		}
	}
	for i, t := range tenants {
		s := &shares[i]
		s.Runs, s.Seconds = t.runs, t.ended/float64(max(1, t.runs))
		if t.runs == 0 {
			return nil, fmt.Errorf("a run of %s ends after too many of others: %g s alone", s.Machine, t.alone)
		}
		s.Waits = max(0, 1-s.Alone/s.Seconds)
		s.Gets = t.used / s.Seconds
		s.Bytes = t.bytes / s.Seconds
	}
	return shares, nil
}

// done reports whether all have run often enough.
func done(tenants []*tenant) bool {
	for _, t := range tenants {
		if t.runs < least {
			return false
		}
	}
	return true
}

// share divides the memory's rate among the models that use it at this moment, and sets how much slower each of them
// is.
func share(tenants []*tenant) {
	var wants []float64
	for _, t := range tenants {
		wants = append(wants, t.wants())
	}
	slices.Sort(wants)
	level, rest := 1.0, 1.0 // the share of a model that wants more, and the share that is left
	for i, u := range wants {
		fair := rest / float64(len(wants)-i)
		if u > fair*(1+1e-12) {
			level = fair
			break
		}
		rest -= u
	}
	for _, t := range tenants {
		t.slower = 1
		if t.wants() > level*(1+1e-12) {
			t.slower = t.phases[t.at].slowed(level)
		}
	}
}
