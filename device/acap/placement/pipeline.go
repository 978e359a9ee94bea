package placement

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/engine"
	"github.com/go-acap/acap/ops"
)

// Samples, parts of a batch or inputs in a row, may pass one after the other through stages that are placed beside each
// other. A stage is an array of its own: neighbouring columns of the whole one, with their share of the memory
// outside, in which the kernels of one sample are mapped, keep their weights and are placed as the kernels of any
// program.

// pipeline is the best pipeline of a program that was found.
type pipeline struct {
	samples int
	stages  []stage
	seconds float64 // of a run
	layered float64 // of a run by layers
	taken   bool
}

// stage is one of a pipeline, with the kernels of one sample.
type stage struct {
	*Plan
	column int
}

// pipe looks for a pipeline that takes less than one kernel after the other, for the whole batch and each input; nil
// where there are no samples or they do not remain apart. Of inputs in a row there is always one: of a single stage, if
// no other is shorter.
func (p *Plan) pipe() *pipeline {
	if !p.whole || slices.ContainsFunc(p.placed, func(q Kernel) bool { return q.err != nil }) {
		return nil
	}
	s := piping{program: p, parts: make(map[string]*Array), known: make(map[mappedOn]alone), layered: p.seconds()}
	inputs := p.array.Inputs
	if inputs > 1 {
		s.best = &pipeline{samples: inputs, stages: []stage{{p, 0}}, taken: true}
		s.best.seconds = s.best.schedule().Cost(p.array.Machine).Seconds()
		s.layered = s.best.seconds
		s.search(p.sampled(1), inputs)
	}
	if parts := s.batches(); parts > 0 {
		s.search(p.sampled(parts), parts*max(1, inputs))
	}
	if s.best != nil {
		const worth = 1e-9
		s.best.layered = s.layered
		s.best.taken = s.best.taken || s.best.seconds < s.layered-worth
	}
	return s.best
}

// batches returns into how many parts to cut the batch, by the first dimension that all results have: those for which
// a pipeline may take least. 0 is none.
func (s *piping) batches() (parts int) {
	const most = 16
	least := s.layered
	for n := 2; n <= most; n++ {
		if slices.ContainsFunc(s.program.results, func(r ops.TensorType) bool { return len(r.Shape) == 0 || r.Shape[0]%n != 0 }) {
			continue
		}
		if seconds := s.least(n * max(1, s.program.array.Inputs)); seconds < least {
			parts, least = n, seconds
		}
	}
	return parts
}

// sampled returns the kernels of one of the samples; nil if samples do not remain apart, or a run leaves something to
// the next.
func (p *Plan) sampled(samples int) (list []Kernel) {
	belongs := make(map[int]describe.Belongs) // by number of the array
	for i := range p.placed {
		q := p.placed[i]
		if q.kernel.Fixed {
			continue
		}
		operands := q.kernel.Kernel.Ports()
		ports := make([]describe.Belongs, len(q.kernel.Values))
		for n, v := range q.kernel.Values {
			if v.Use == engine.Argument && operands[n].Write {
				return nil
			}
			if ports[n] = belongs[v.Number]; v.Use == engine.Kept {
				ports[n] = describe.ToAll
			}
		}
		if samples > 1 {
			if q.kernel.Kernel = describe.Sample(q.kernel.Kernel, samples, ports); q.kernel.Kernel == nil {
				return nil
			}
			if q.work, q.err = p.array.describe(q.kernel.Name, q.kernel.Kernel, false); q.err != nil {
				return nil
			}
			for n, v := range q.kernel.Values {
				belongs[v.Number] = ports[n]
			}
		}
		list = append(list, q)
	}
	return list
}

// piping is a search for a pipeline.
type piping struct {
	program *Plan
	parts   map[string]*Array // by what tells them apart
	known   map[mappedOn]alone
	layered float64 // seconds of a run by layers
	best    *pipeline
}

// mappedOn is a kernel on a part of the array.
type mappedOn struct {
	part *Array
	key  string
}

// alone is the mapping of a kernel on a part of the array, and about what it takes there among others.
type alone struct {
	choice  *mapper.Choice
	seconds float64
}

// search tries pipelines of two stages and more, as long as a further stage may be better. kernels are the kernels that
// one sample passes through.
func (s *piping) search(kernels []Kernel, samples int) {
	const most = 8 // stages
	const hopeless = 1.15
	if s.least(samples) >= s.layered {
		return
	}
	before := s.layered
	for stages := 2; stages <= min(most, len(kernels)); stages++ {
		found := s.stages(kernels, samples, stages)
		if found == nil {
			continue
		}
		if s.best == nil || found.seconds < s.best.seconds {
			s.best = found
		}
		if found.seconds > hopeless*before {
			return
		}
		before = found.seconds
	}
}

// least returns seconds that a pipeline for these samples hardly beats: all launches are started one after the other,
// and while only one stage of two has a sample half of the array rests. Cores work as they do by layers, and the memory
// moves all but the weights.
func (s *piping) least(samples int) float64 {
	m, kernels := s.program.array.Machine, 0
	cores, read, write := 0.0, 0.0, 0.0
	for i := range s.program.placed {
		q := &s.program.placed[i]
		if q.kernel.Fixed {
			continue
		}
		k := q.Row()
		t := &k.Timing
		cores += t.Stalls.Compute * float64(t.Cores) / float64(m.Grid.Cores())
		read, write = read+max(0, float64(t.ReadL3-k.Weights())), write+float64(t.WriteL3)
		kernels++
	}
	work := max(cores, read/m.DDR.Read.Value, write/m.DDR.Write.Value, m.DDR.Both(read, write)) * float64(max(1, s.program.array.Inputs))
	filled := float64(samples+1) / float64(samples)
	return m.Host.Launch.Value + max(filled*work, float64(kernels*samples)*m.Host.Restart.Value)
}

// stages returns a pipeline with a number of stages, nil if the array cannot be parted so or a kernel does not fit a
// part. The time of a kernel beside the other kernels of its stage is known once stages exist; then the stages are
// balanced again.
func (s *piping) stages(kernels []Kernel, samples, stages int) *pipeline {
	first := s.program.array.Machine.Grid.Parted(stages)
	if first == nil {
		return nil
	}
	var arrays []*Array
	for i := range stages {
		a := s.part(first[i], first[i+1]-first[i])
		if a == nil || !s.mapped(a, kernels) {
			return nil
		}
		arrays = append(arrays, a)
	}
	keys := make([]string, len(kernels))
	for i := range kernels {
		keys[i] = kernels[i].work.Key()
	}
	known := func(kernel, stage int) alone { return s.known[mappedOn{arrays[stage], keys[kernel]}] }
	longer := slices.Repeat([]float64{1}, stages) // than their kernels were thought to take
	var best *pipeline
	for range 2 {
		from := schedule.Balance(len(kernels), stages, func(kernel, stage int) float64 {
			return longer[stage] * known(kernel, stage).seconds
		})
		found := &pipeline{samples: samples}
		for i, a := range arrays {
			mine := &Plan{array: a}
			mine.placed = slices.Clone(kernels[from[i]:from[i+1]])
			outside(mine.placed, kernels[:from[i]], kernels[from[i+1]:])
			thought := 0.0
			for j := range mine.placed {
				k := known(from[i]+j, i)
				mine.placed[j].mapped, mine.placed[j].choice = k.choice, k.choice
				thought += k.seconds
			}
			mine.arrange()
			found.stages = append(found.stages, stage{mine, first[i]})
			longer[i] = found.schedule().Stages[i].Each().Seconds() / thought
		}
		found.seconds = found.schedule().Cost(s.program.array.Machine).Seconds()
		if best == nil || found.seconds < best.seconds {
			best = found
		}
	}
	return best
}

// part returns the array of some columns, one for all that are alike; nil if there is none.
func (s *piping) part(column, columns int) *Array {
	a := s.program.array
	m, err := a.Machine.Columns(column, columns)
	if err != nil {
		return nil
	}
	key := fmt.Sprint(m.Grid)
	if s.parts[key] == nil {
		s.parts[key] = &Array{Machine: m, Packed: a.Packed, Outside: a.Outside}
	}
	return s.parts[key]
}

// mapped finds out what kernels take on a part of the array, weights in its mem tiles if they fit there; false if one
// has no mapping.
func (s *piping) mapped(a *Array, kernels []Kernel) bool {
	list := slices.DeleteFunc(slices.Clone(kernels), func(q Kernel) bool {
		_, known := s.known[mappedOn{a, q.work.Key()}]
		return known
	})
	a.place(list, nil)
	for i := range list {
		q := &list[i]
		if q.err != nil {
			return false
		}
		at := mappedOn{a, q.work.Key()}
		if _, known := s.known[at]; known {
			continue
		}
		seconds := q.mapped.Timing.Seconds
		if weighted(q.work) && a.Machine.Grid.MemRows > 0 && a.Machine.Mem.Repeat.Int() > 0 {
			if c, err := mapper.MapResident(a.Machine, q.work, 1, a.Machine.Mem.Memory.Int()/2); err == nil {
				seconds = min(seconds, c.Timing.Seconds)
			}
		}
		s.known[at] = alone{q.mapped, seconds - q.mapped.Timing.Launch + a.Machine.Host.Restart.Value}
	}
	return true
}

// outside has arrays that kernels of other stages read or write pass in the memory outside.
func outside(mine []Kernel, others ...[]Kernel) {
	elsewhere := make(map[int]bool)
	for _, list := range others {
		for i := range list {
			for _, v := range list[i].kernel.Values {
				elsewhere[v.Number] = true
			}
		}
	}
	for i := range mine {
		k := &mine[i].kernel
		k.Values = slices.Clone(k.Values)
		for n, v := range k.Values {
			if v.Use == engine.Between && elsewhere[v.Number] {
				k.Values[n].Use = engine.Result
			}
		}
	}
}

// schedule returns the pipeline in the form from which its costs are counted.
func (l *pipeline) schedule() *schedule.Pipeline {
	p := &schedule.Pipeline{Samples: l.samples}
	for _, s := range l.stages {
		p.Stages = append(p.Stages, schedule.Stage{Program: s.schedules()[0], Machine: s.array.Machine})
	}
	return p
}

// Running returns the kernels of a run; in a pipeline the kernels of one sample, each in its stage.
func (p *Plan) Running() []Kernel {
	placed := p.placed
	if p.piped == nil || !p.piped.taken {
		return placed
	}
	_, stages := p.piped.decided(p.array)
	list, next := slices.Clone(placed), 0
	for i, s := range p.piped.stages {
		for j := range s.placed {
			if s.placed[j].kernel.Fixed {
				continue
			}
			for list[next].kernel.Fixed {
				next++
			}
			list[next] = s.placed[j]
			list[next].stage = stages[i]
			next++
		}
	}
	return list
}

// decided says what was decided on an array, and what the stages are.
func (l *pipeline) decided(a *Array) (*report.Pipeline, []*report.Stage) {
	d := &report.Pipeline{Samples: l.samples, Inputs: max(1, a.Inputs), Seconds: l.seconds, Layered: l.layered, Taken: l.taken}
	var stages []*report.Stage
	p := l.schedule()
	for i, s := range l.stages {
		m := s.array.Machine
		now := report.Stage{Number: i + 1, Column: s.column, Columns: m.Grid.Cols, Samples: l.samples, Kernels: len(p.Stages[i].Launches),
			Seconds: p.Stages[i].Each().Seconds(), Share: m.DDR.Read.Value / a.Machine.DDR.Read.Value}
		for j := range s.placed {
			q := &s.placed[j]
			if q.kernel.Fixed {
				continue
			}
			switch k := q.Row(); {
			case len(k.Resident) > 0:
				for _, n := range k.Resident {
					now.Resident += int64(n)
				}
			default:
				now.Fetched += k.Weights()
			}
		}
		stages = append(stages, &now)
		d.Stages = append(d.Stages, now)
	}
	if l.taken {
		d.Saved = l.layered - l.seconds
	}
	return d, stages
}

// report has a report by layers say what was decided, and returns the report of the stages if they are taken.
func (l *pipeline) report(p *Plan, layers *report.Report) *report.Report {
	d, _ := l.decided(p.array)
	if !l.taken {
		layers.Pipeline = d
		return layers
	}
	d.Layers = layers
	r := &report.Report{Machine: layers.Machine, Name: layers.Name, Fallbacks: layers.Fallbacks, Pipeline: d}
	for _, q := range p.Running() {
		r.Kernels = append(r.Kernels, q.Row())
	}
	for _, s := range l.stages {
		r.Placed += float64(l.samples) * s.saved
		r.Kept.Arrays += s.kept.Arrays
		r.Kept.Bytes += int64(l.samples) * s.kept.Bytes
		r.Kept.Saved += float64(l.samples) * s.kept.Saved
	}
	return r
}
