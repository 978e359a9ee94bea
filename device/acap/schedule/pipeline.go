package schedule

import (
	"github.com/go-acap/acap/device/acap/machine"
)

// Stage is launches that every sample of a batch passes, on columns of the array that no other stage uses.
type Stage struct {
	Program
	Machine *machine.Machine // of those columns: see machine.Machine.Columns
}

// Pipeline is stages that work beside each other: while one has a sample, the stage before has the next. One call of
// the host starts it, and each stage begins with a sample when it has done with the one before and the stage before
// has done with this one. Arrays pass between stages in the memory outside.
type Pipeline struct {
	Stages  []Stage
	Samples int
	Written int64 // bytes of inputs that the host hands over before every run
}

// Each returns the cost that a stage adds for each sample.
func (s *Stage) Each() Cost {
	var c Cost
	for _, d := range s.Repeated(s.Machine) {
		c.Add(d, 1)
	}
	return c
}

// Begin returns when each stage begins with each sample, in seconds from when the first begins with the first: where
// the controller's starts set the pace, the first stage waits for them. The last sample leaves the last stage when the
// run ends.
func (p *Pipeline) Begin() [][]float64 {
	begin := make([][]float64, len(p.Stages))
	seconds, starts := make([]float64, len(p.Stages)), 0.0
	for i := range p.Stages {
		each := p.Stages[i].Each()
		seconds[i], starts = each.Seconds(), starts+each.Load+each.Switch
	}
	for i := range p.Stages {
		begin[i] = make([]float64, p.Samples)
		for n := range begin[i] {
			at := float64(float64(n) * starts)
			if i > 0 {
				at = begin[i-1][n] + seconds[i-1]
			}
			if n > 0 {
				at = max(at, begin[i][n-1]+seconds[i])
			}
			begin[i][n] = at
		}
	}
	return begin
}

// Cost returns the cost of a run on a machine. All stages work on the first sample and the slowest one on each of the
// others. One controller starts the launches of all stages: a sample takes no less than all of its starts, one after
// the other.
func (p *Pipeline) Cost(m *machine.Machine) Cost {
	call := Program{Written: p.Written}
	c := call.call(m)
	var slowest Cost
	starts := 0.0
	for i := range p.Stages {
		each := p.Stages[i].Each()
		c.Add(each, 1)
		if each.Seconds() > slowest.Seconds() {
			slowest = each
		}
		starts += each.Load + each.Switch
	}
	slowest.Switch += max(0, starts-slowest.Seconds())
	c.Add(slowest, p.Samples-1)
	return c
}

// Balance cuts kernels into neighbouring groups, one for each stage and none empty, so that the slowest stage takes
// least: seconds says what a kernel takes in a stage. It returns where each group begins, and after the last the
// number of kernels; nil where there are fewer kernels than stages.
func Balance(kernels, stages int, seconds func(kernel, stage int) float64) []int {
	if kernels < stages || stages < 1 {
		return nil
	}
	type cut struct {
		slowest float64
		from    int
	}
	best := make([][]cut, stages) // of the kernels before one, in the stages so far
	for s := range best {
		best[s] = make([]cut, kernels+1)
		for end := s + 1; end <= kernels; end++ {
			sum := 0.0
			for from := end - 1; from >= s; from-- {
				sum += seconds(from, s)
				slowest := sum
				switch {
				case s > 0:
					slowest = max(slowest, best[s-1][from].slowest)
				case from > 0:
					continue
				}
				if c := &best[s][end]; c.slowest == 0 || slowest < c.slowest {
					*c = cut{slowest, from}
				}
			}
		}
	}
	first := make([]int, stages+1)
	first[stages] = kernels
	for s := stages - 1; s >= 0; s-- {
		first[s] = best[s][first[s+1]].from
	}
	return first
}
