package acap

import (
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// stand chooses where on the array the kernels of each group stand, and has them there.
func (p *Program) stand() {
	if p.array.machine.Systolic != nil {
		return
	}
	var kernels []report.Kernel
	var owners []*placement // of the launches, in order
	s := standings{p.array, make(map[standing]*mapper.Choice), make(map[*workload.Kernel]string)}
	for i := range p.placed {
		q := &p.placed[i]
		if q.err != nil {
			continue
		}
		kernels = append(kernels, q.report())
		if !q.kernel.Fixed {
			owners = append(owners, q)
			s.keys[q.work] = q.work.Key()
			s.known[s.of(q.work, &q.choice.Mapping)] = q.choice
		}
	}
	for _, program := range report.Programs(kernels) {
		p.saved += program.Place(p.array.machine, s)
		for i := range program.Launches {
			l := &program.Launches[i]
			owners[i].choice = s.choice(l)
		}
		owners = owners[len(program.Launches):]
	}
}

// standings are the kernels of a program in the shapes and at the places that were tried.
type standings struct {
	array *Array
	known map[standing]*mapper.Choice // nil for those that are not legal
	keys  map[*workload.Kernel]string
}

// standing is a kernel in a shape and at a place.
type standing struct {
	key                      string
	cols, rows, right, above int
}

func (s standings) of(w *workload.Kernel, g *mapping.Mapping) standing {
	return standing{s.keys[w], g.Cols, g.Rows, g.Col, g.Row}
}

// choice returns the choice of a launch's mapping, nil if it is not legal.
func (s standings) choice(l *schedule.Launch) *mapper.Choice {
	key := s.of(l.Kernel, &l.Mapping)
	c, ok := s.known[key]
	if !ok {
		from := key
		from.right, from.above = 0, 0
		if base := s.known[from]; base != nil {
			c, _ = base.At(l.Mapping.Col, l.Mapping.Row)
		}
		s.known[key] = c
	}
	return c
}

// Legal implements [schedule.Options].
func (s standings) Legal(l *schedule.Launch) bool { return s.choice(l) != nil }

// Narrow implements [schedule.Options].
func (s standings) Narrow(l *schedule.Launch, cols, rows int) (mapping.Mapping, *timing.Timing) {
	c, err := mapper.Within(s.array.machine, l.Kernel, cols, rows)
	if err != nil || c.Verify() != nil {
		return mapping.Mapping{}, nil
	}
	key := s.of(l.Kernel, &c.Mapping)
	if s.known[key] == nil {
		s.known[key] = c
	}
	return s.known[key].Mapping, &s.known[key].Timing
}
