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
func (p *Program) stand(s *standings) {
	p.saved = 0
	s.room.keep(p.choices())
	var kernels []report.Kernel
	var owners []*placement // of the launches, in order
	for i := range p.placed {
		q := &p.placed[i]
		if q.err != nil || q.kernel.Fixed {
			continue
		}
		kernels, owners = append(kernels, q.report()), append(owners, q)
		key := q.work.Key()
		s.owners[q.work] = owned{key, q}
		s.known[standing{key, q.choice.Mapping}] = q.choice
	}
	for _, program := range report.Programs(kernels) {
		p.saved += program.Place(p.array.machine, s)
		for i := range program.Launches {
			owners[i].choice = s.choice(&program.Launches[i])
		}
		owners = owners[len(program.Launches):]
	}
}

func newStandings(a *Array) *standings {
	return &standings{make(map[standing]*mapper.Choice), make(map[*workload.Kernel]owned), mapper.NewNarrowed(a.machine),
		newRoom(a.machine, nil)}
}

// standings are the kernels of a program in the mappings that were tried.
type standings struct {
	known  map[standing]*mapper.Choice // nil for those that are not legal
	owners map[*workload.Kernel]owned
	narrow *mapper.Narrowed
	room   *room // that weights leave
}

// standing is a kernel in a mapping.
type standing struct {
	key string
	mapping.Mapping
}

// owned is the key of a kernel, and where it comes from.
type owned struct {
	key string
	*placement
}

// choice returns the choice of a launch's mapping, nil if it is not legal.
func (s *standings) choice(l *schedule.Launch) *mapper.Choice {
	of := s.owners[l.Kernel]
	key := standing{of.key, l.Mapping}
	c, ok := s.known[key]
	if !ok {
		c, _ = of.mapped.With(l.Mapping)
		s.known[key] = c
	}
	return c
}

// Legal implements [schedule.Options].
func (s *standings) Legal(l *schedule.Launch) bool {
	c := s.choice(l)
	return c != nil && s.room.passes(c)
}

// Narrow implements [schedule.Options].
func (s *standings) Narrow(l *schedule.Launch, cols, rows int) (mapping.Mapping, *timing.Timing) {
	return s.narrow.Map(l.Kernel, s.owners[l.Kernel].key, cols, rows)
}
