package timing

import (
	"math"

	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// merges times a sort of lines that no core can hold: steps that sort blocks, then those
// that merge two blocks, for which a core has room only once. Between the rounds of
// the network the host waits for all results.
func (e *estimate) merges(n *workload.Normalize) {
	g, scalar := &e.mapping, e.routine("scalar")/e.machine.Clock.Value
	length, cores := float64(g.TK), float64(g.Cores())
	blocks := int(ceil(n.Cols, g.TK))
	first, later, rounds := ceil(n.Rows*blocks+2, g.Cores()), int64(0), mapping.Merges(blocks)
	for _, round := range rounds {
		later += ceil(n.Rows*len(round), g.Cores())
	}
	e.Sort = length * (1 + math.Log2(length)) * scalar
	e.Merge = 2 * length * scalar
	block, sorted := length*float64(n.In[0].Carried()), 0.0
	for _, s := range n.Out {
		sorted += length * float64(s.DType.Size())
	}
	e.flow(1, block, sorted, 1, 1)
	a := e.Step
	a.Core = e.Sort
	e.flow(1, 2*sorted, 2*sorted, 1, 1)
	b := e.Step
	b.Core = e.Merge
	total := func(s Step) float64 { pace, _ := s.Max(); return pace }
	all := float64(first)*total(a) + float64(later)*(b.Core+max(b.Stream, b.DDR, b.Shim))
	e.Rounds, e.Steps = 1, first+later
	share := float64(first) / float64(e.Steps)
	e.Step = Step{Core: share*a.Core + (1-share)*b.Core, Stream: share*a.Stream + (1-share)*b.Stream,
		DDR: share*a.DDR + (1-share)*b.DDR, Shim: share*a.Shim + (1-share)*b.Shim}
	e.inner = e.Step.Core
	e.Steady = all
	e.Pause = e.machine.Host.Restart.Value
	e.Restart = float64(len(rounds)) * (e.Pause + e.Fill + e.Drain)
	e.ReadL3 = int64(cores * (float64(first)*block + float64(later)*2*sorted))
	e.WriteL3 = int64(cores * float64(first+2*later) * sorted)
	e.L1 = e.ReadL3 + e.WriteL3
	e.stage(e.L1)
}

// ranges times a scatter into lines that no core can hold: for every range of the result
// all updates of the line pass by.
func (e *estimate) ranges(n *workload.Normalize) {
	g, clock := &e.mapping, e.machine.Clock.Value
	length, last := float64(g.TK), len(n.In)-1
	into := length * float64(n.In[last].Carried())
	pieces, updates := int64(0), 0.0
	for i, s := range n.In[:last] {
		if i == 0 {
			pieces = ceil(s.Walk.Row(), g.TK)
		}
		row := int64(1)
		if s.Walk.Row() > 1 {
			row = int64(g.TK)
		}
		updates += float64(pieces * row * int64(s.Carried()))
	}
	out := length * float64(n.Out[0].DType.Size())
	e.Sort = length * e.routine("element") / clock
	e.Merge = length * e.routine("scalar") / clock
	e.Rounds, e.Steps = 1, ceil(n.Rows*int(ceil(n.Cols, g.TK)), g.Cores())
	e.flow(1, into+updates, out, 1, 1)
	e.Step.Core = e.Sort + float64(pieces)*e.Merge
	e.inner = e.Step.Core
	units := float64(e.Steps) * float64(g.Cores())
	e.ReadL3, e.WriteL3 = int64(units*(into+updates)), int64(units*out)
	e.L1 = e.ReadL3 + e.WriteL3
	e.stage(e.L1)
}
