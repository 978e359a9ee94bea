package placement

import (
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// place chooses where on the array the kernels of each group run, and puts them there.
func (p *Plan) place(s *placementSearch) {
	p.saved = 0
	s.budget.keep(p.choices())
	var kernels []report.Kernel
	var owners []*Kernel // of the launches, in order
	for i := range p.placed {
		q := &p.placed[i]
		if q.err != nil || q.kernel.Fixed {
			continue
		}
		kernels, owners = append(kernels, q.Row()), append(owners, q)
		key := q.work.Key()
		s.owners[q.work] = owned{key, q}
		s.known[placed{key, q.choice.Mapping}] = q.choice
		s.narrow.Know(key, q.mapped)
	}
	for _, program := range report.Programs(kernels) {
		p.saved += program.Place(p.array.Machine, s)
		for i := range program.Launches {
			owners[i].choice = s.choice(&program.Launches[i])
		}
		owners = owners[len(program.Launches):]
	}
}

func newPlacementSearch(a *Array) *placementSearch {
	return &placementSearch{make(map[placed]*mapper.Choice), make(map[*workload.Kernel]owned), mapper.NewNarrowed(a.Machine),
		newBudget(a.Machine, nil)}
}

// placementSearch are the kernels of a program in the mappings that were tried.
type placementSearch struct {
	known  map[placed]*mapper.Choice // nil for those that are not legal
	owners map[*workload.Kernel]owned
	narrow *mapper.Narrowed
	budget *budget // that weights leave
}

// placed is a kernel in a mapping.
type placed struct {
	key string
	mapping.Mapping
}

// owned is the key of a kernel, and where it comes from.
type owned struct {
	key string
	*Kernel
}

// choice returns the choice of a launch's mapping, nil if it is not legal.
func (s *placementSearch) choice(l *schedule.Launch) *mapper.Choice {
	of := s.owners[l.Kernel]
	key := placed{of.key, l.Mapping}
	c, ok := s.known[key]
	if !ok {
		c, _ = of.mapped.With(l.Mapping)
		s.known[key] = c
	}
	return c
}

// Legal implements [schedule.Options].
func (s *placementSearch) Legal(l *schedule.Launch) bool {
	c := s.choice(l)
	return c != nil && s.budget.passes(c)
}

// Narrow implements [schedule.Options].
func (s *placementSearch) Narrow(l *schedule.Launch, cols, rows int) (mapping.Mapping, *timing.Timing) {
	return s.narrow.Map(l.Kernel, s.owners[l.Kernel].key, cols, rows)
}
