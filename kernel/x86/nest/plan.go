package nest

import (
	"math"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector/function"
)

// plan is where the loops of a nest are in the code.
type plan struct {
	*schedule.Loops
	isa   isa
	pairs bool // two rows go through the stages together
}

const (
	// mostUnrolled bounds the vectors that one pass of the lane loop works on.
	mostUnrolled = 4
	// reach is how far displacements of code go, with room for others beside them.
	reach = math.MaxInt32 / 4
)

func newPlan(n *kernel.Nest, f cpu.Features) (*plan, error) {
	t := schedule.Target{VectorBytes: f.Level.VectorBytes(), Unroll: mostUnrolled, Reach: reach, SingleHoists: true, InDouble: inDouble}
	loops, err := schedule.NewLoops(n, t)
	if err != nil {
		return nil, err
	}
	p := &plan{Loops: loops, isa: isa{avx512: f.Level >= cpu.AVX512, exact: f.Fixed, lanes: loops.Lanes}}
	p.pairs = !p.LaneOuter && p.Row >= 0 && p.Extent(p.Row) > 1 && (p.busy() || p.brief()) && p.Reaches(p.Row, 1, reach)
	return p, nil
}

// busy reports whether the work is in instructions and not in memory: whether a
// function is computed at every inner point.
func (p *plan) busy() bool {
	for _, s := range p.Nest.Stages {
		for _, i := range s.Body {
			if function.Is(i.Op) && !s.Once {
				return true
			}
		}
	}
	return false
}

// brief reports whether a row has so few vectors that combining the lanes of its
// reductions takes as long.
func (p *plan) brief() bool { return p.InnerPoints() <= 16*p.Lanes }

// spreads reports whether a stage over inner loops works on several vectors of outer points
// at a time. What does not depend on the loops is read in them then.
func (p *plan) spreads() bool { return p.LaneOuter && len(p.Nest.Inner) > 0 && p.Unroll > 1 }
