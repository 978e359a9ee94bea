package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/schedule"
)

// Pipeline is the decision about a batch. Either samples pass one by one through stages, each of which has columns of
// its own, or the whole batch passes through one kernel after the other.
type Pipeline struct {
	Samples int     `json:"samples"` // equal parts of the batch, of all inputs
	Inputs  int     `json:"inputs"`  // in a row: 1, or that many runs of the model with one call
	Stages  []Stage `json:"stages"`
	Seconds float64 `json:"seconds"` // of a run with the best pipeline that was found
	Layered float64 `json:"layered"` // seconds of a run by layers: one kernel after the other for the whole batch
	Taken   bool    `json:"taken"`   // the pipeline, as it is shorter
	Saved   float64 `json:"saved"`   // seconds of a run
	// Layers is the account by layers, of the same kernels for the whole batch.
	Layers *Report `json:"-"`
}

// Stage is some neighbouring columns of the array with the kernels that each sample passes there.
type Stage struct {
	Number   int     `json:"number"` // from 1 on
	Column   int     `json:"column"` // the first
	Columns  int     `json:"columns"`
	Samples  int     `json:"samples"` // runs of each of its kernels in a run of the program
	Kernels  int     `json:"kernels"`
	Seconds  float64 `json:"seconds"`   // for a sample
	Resident int64   `json:"resident"`  // bytes of weights resident in its mem tiles
	Fetched  int64   `json:"fetched"`   // bytes of weights that come from outside for every sample
	Share    float64 `json:"ddr_share"` // of the rate of the memory outside
}

// part returns the machine that a kernel has of a whole one, nil where that has not the columns of its stage.
func (k *Kernel) part(m *machine.Machine) *machine.Machine {
	if k.Stage == nil {
		return m
	}
	part, err := m.Columns(k.Stage.Column, k.Stage.Columns)
	if err != nil {
		return nil
	}
	return part
}

// Runs is how often the kernel runs in a run of the program: for every sample of a pipeline, or turn of a loop.
func (k *Kernel) Runs() int { return k.Samples() * k.Turns.All() }

// Samples is how many pass the kernel's stage of a pipeline in a run, 1 where there is none.
func (k *Kernel) Samples() int {
	if k.Stage == nil {
		return 1
	}
	return k.Stage.Samples
}

// Weights is the bytes of inputs that are the same on every run.
func (k *Kernel) Weights() (bytes int64) {
	for _, s := range k.Work.Inputs() {
		if s.Constant {
			bytes += s.Bytes()
		}
	}
	return bytes
}

// weight is how many launches on the whole array all of a kernel in a run count for, by the tiles that they occupy.
func (k *Kernel) weight(m *machine.Machine) float64 {
	if k.Stage == nil {
		return float64(k.Turns.All())
	}
	return float64(k.Stage.Samples*k.Stage.Columns) / float64(m.Grid.Cols)
}

// place is where a tile of the kernel's machine is on the whole array.
func (k *Kernel) place(c machine.Coord) machine.Coord {
	if k.Stage != nil {
		c.Col += k.Stage.Column
	}
	return c
}

// Layers returns the account of the kernels one after the other, which is the report itself where there is no pipeline.
func (r *Report) Layers() *Report {
	if r.Pipeline != nil && r.Pipeline.Taken {
		return r.Pipeline.Layers
	}
	return r
}

// stages returns the pipeline of a run, nil where there is none.
func (r *Report) stages() *schedule.Pipeline {
	if r.Pipeline == nil || !r.Pipeline.Taken {
		return nil
	}
	p := &schedule.Pipeline{Samples: r.Pipeline.Samples, Written: r.Written * int64(r.Pipeline.Inputs)}
	for _, s := range r.parts(false) {
		p.Stages = append(p.Stages, schedule.Stage{Program: s.Program, Machine: s.machine})
	}
	return p
}

// inputs is how many there are in a row with one call of the host.
func (r *Report) inputs() int {
	if r.Pipeline != nil && r.Pipeline.Taken {
		return max(1, r.Pipeline.Inputs)
	}
	return 1
}

// shifts returns how much later than with the first sample a run begins with each of the samples in a kernel's stage,
// by kernels: 0 alone where there is no pipeline.
func (r *Report) shifts() map[*Kernel][]float64 {
	out := make(map[*Kernel][]float64)
	p := r.stages()
	var begin [][]float64
	if p != nil {
		begin = p.Begin()
	}
	for i, s := range r.parts(false) {
		later := []float64{0}
		if begin != nil {
			later = make([]float64, p.Samples)
			for n, at := range begin[i] {
				later[n] = at - begin[i][0]
			}
		}
		for _, k := range s.kernels {
			out[k] = later
		}
	}
	return out
}

// detailed is how many of the samples of a run have their intervals drawn: one at least. A sample has the given
// intervals, and all drawn samples together at most most. The other samples repeat these intervals.
func detailed(samples, intervals, most int) int {
	return min(samples, max(1, most/max(1, intervals)))
}

// Drawn says what a timeline with at most the given intervals of each kernel holds of a pipeline or of loops, "" where
// there are none.
func (r *Report) Drawn(intervals int) string {
	p := r.stages()
	if p == nil || len(p.Stages) < 2 {
		if slices.ContainsFunc(r.Kernels, func(k Kernel) bool { return !k.Once && k.Turns.All() > 1 }) {
			return "the first turn of each loop, with a gap in which the others repeat it"
		}
		return ""
	}
	text := fmt.Sprintf("%d samples through %d stages beside each other", p.Samples, len(p.Stages))
	if n := r.least(intervals); n < p.Samples {
		text += fmt.Sprintf(", all with their kernels; cores and channels of the first %d, and of more where these are few: "+
			"the others repeat them", n)
	}
	return text
}

// least is the fewest samples of a kernel whose intervals are drawn.
func (r *Report) least(intervals int) int {
	n := r.Pipeline.Samples
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Problem != "" || k.Once || k.Choice == nil {
			continue
		}
		if e, err := k.Events(event.Options{Intervals: intervals}); err == nil {
			n = min(n, detailed(r.Pipeline.Samples, len(e.Intervals), intervals))
		}
	}
	return n
}

// staged adds up the stages of a run.
func (r *Report) staged(t *Total, p *schedule.Pipeline) {
	t.Calls, t.Cost = 1, p.Cost(r.Machine)
	for i := range p.Stages {
		s := &p.Stages[i]
		loads, more := s.Reloads(s.Machine)
		t.Loads, t.LoadsSaved = t.Loads+loads*p.Samples, t.LoadsSaved+float64(more*float64(p.Samples))
	}
	t.Separate.Add(r.Pipeline.Layers.Total().Separate, r.Pipeline.Inputs)
}

// part is a program of a run on a machine of its own.
type part struct {
	schedule.Program
	machine *machine.Machine
	kernels []*Kernel
}

// parts returns the programs of a run, stage by stage in a pipeline, each with its machine; with once, the programs
// that run once for the model.
func (r *Report) parts(once bool) []part {
	var list []part
	var kernels []*Kernel
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && k.Once == once {
			kernels = append(kernels, k)
		}
	}
	for _, p := range programs(r.Kernels, once) {
		s := part{p, nil, kernels[:len(p.Launches)]}
		kernels = kernels[len(p.Launches):]
		s.machine = s.kernels[0].part(r.Machine)
		list = append(list, s)
	}
	return list
}

// pipelineLine is the line of the summary about the decision, "" where there was none.
func (r *Report) pipelineLine() string {
	p := r.Pipeline
	if p == nil {
		return ""
	}
	text := fmt.Sprintf("%d samples through %d stages", p.Samples, len(p.Stages))
	layers := "the whole batch"
	if p.Inputs > 1 {
		layers = fmt.Sprintf("each of %d inputs in a row", p.Inputs)
	}
	switch {
	case p.Taken && len(p.Stages) == 1:
		return fmt.Sprintf("pipeline: not used; kernel by kernel for %s is shorter\n", layers)
	case !p.Taken:
		return fmt.Sprintf("pipeline: not used; %s would take %s, and kernel by kernel for %s takes %s\n", text, Duration(p.Seconds),
			layers, Duration(p.Layered))
	}
	return fmt.Sprintf("pipeline: saves %s; %s, where kernel by kernel for %s takes %s\n", Duration(p.Saved), text, layers, Duration(p.Layered))
}

// stageTable prints the stages.
func (r *Report) stageTable(b *strings.Builder) {
	if r.Pipeline == nil || !r.Pipeline.Taken {
		return
	}
	b.WriteString("\nstages of the pipeline, which work at once on neighbouring samples; the kernels above are those of one sample\n")
	rows := [][]string{{"stage", "columns", "kernels", "for a sample", "resident weights", "weights fetched", "of the memory's rate"}}
	for _, s := range r.Pipeline.Stages {
		rows = append(rows, []string{fmt.Sprint(s.Number), fmt.Sprintf("%d-%d", s.Column, s.Column+s.Columns-1), fmt.Sprint(s.Kernels),
			Duration(s.Seconds), Bytes(s.Resident), Bytes(s.Fetched), percent(s.Share)})
	}
	align(b, rows)
}
