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
	if !r.Machine.Programmed() {
		return
	}
	var o free
	var last *machine.Machine
	for _, p := range r.parts(false) {
		if p.machine != last {
			last, o = p.machine, free{mapper.NewNarrowed(p.machine)}
		}
		r.Placed += p.Place(p.machine, o)
		for i, k := range p.kernels {
			k.Mapping, k.Timing = p.Launches[i].Mapping, *p.Launches[i].Timing
		}
	}
}

// free are launches that can be placed anywhere.
type free struct{ *mapper.Narrowed }

// Legal implements [schedule.Options].
func (free) Legal(*schedule.Launch) bool { return true }

// Narrow implements [schedule.Options].
func (f free) Narrow(l *schedule.Launch, cols, rows int) (mapping.Mapping, *timing.Timing) {
	return f.Map(l.Kernel, l.Kernel.Key(), cols, rows)
}
