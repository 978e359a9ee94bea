package report

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/timing"
)

// Place finds places for the kernels of every program, as a compiled program does, but takes every
// place for legal: for estimates on machines that only differ a little.
func (r *Report) Place() {
	if r.Machine.Systolic != nil {
		return
	}
	next := 0
	for _, p := range Programs(r.Kernels) {
		r.Placed += p.Place(r.Machine, free{r.Machine})
		for i := range p.Launches {
			for r.Kernels[next].Problem != "" || r.Kernels[next].Once {
				next++
			}
			k := &r.Kernels[next]
			k.Mapping, k.Timing = p.Launches[i].Mapping, *p.Launches[i].Timing
			next++
		}
	}
}

// free are launches that can stand anywhere.
type free struct{ *machine.Machine }

// Legal implements [schedule.Options].
func (free) Legal(*schedule.Launch) bool { return true }

// Narrow implements [schedule.Options].
func (f free) Narrow(l *schedule.Launch, cols, rows int) (mapping.Mapping, *timing.Timing) {
	c, err := mapper.Within(f.Machine, l.Kernel, cols, rows)
	if err != nil {
		return mapping.Mapping{}, nil
	}
	return c.Mapping, &c.Timing
}
