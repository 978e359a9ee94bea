package timing

import (
	"math"

	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// merges times a sort of lines that no core can hold: steps that sort blocks, then those
// that merge two blocks. Between the rounds of the network the host waits for all
// results.
func (e *estimate) merges(n *workload.Normalize) {
	g, scalar := &e.mapping, e.routine("scalar")/e.machine.Clock.Value
	length, blocks := float64(g.TK), int(ceil(n.Cols, g.TK))
	e.Sort = length * (1 + math.Log2(length)) * scalar
	e.Merge = 2 * length * scalar
	first, later, rounds := ceil(n.Rows*blocks+2, g.Cores()), int64(0), mapping.Merges(blocks)
	merges := make([]int64, len(rounds)) // of a core
	for i, round := range rounds {
		merges[i] = ceil(n.Rows*len(round), g.Cores())
		later += merges[i]
	}
	unsorted, sorted := e.piece(first), e.piece(first)
	unsorted.join(g.TK*n.In[0].Carried(), g.Rows)
	for _, s := range n.Out {
		sorted.join(g.TK*s.DType.Size(), g.Rows)
	}
	cores, block, whole := float64(g.Cores()), unsorted.bytes, sorted.bytes
	read := float64(float64(first)*block) + float64(float64(2*later)*whole)
	written := float64(first+2*later) * whole
	merged := sorted // what is read to be merged
	unsorted.run, sorted.run, merged.run = read/block, written/whole, read/whole
	l := e.newLine()
	in, out := e.spread(l, true, unsorted), e.spread(l, false, sorted)
	l.repeat(first, func() { l.call(e.Sort, in, out) })
	e.Steady = l.end()
	took := make(map[int64]float64) // by merges
	for _, n := range merges {
		if took[n] == 0 {
			took[n] = e.mergeRound(merged, sorted, n)
		}
		e.Steady += took[n]
	}
	e.Rounds, e.Steps = 1, first+later
	e.flow(1, read/float64(e.Steps), written/float64(e.Steps), 1, 1)
	e.Step.Core = (float64(float64(first)*e.Sort) + float64(float64(later)*e.Merge)) / float64(e.Steps)
	e.inner, e.Fill, e.Drain = e.Step.Core, 0, 0
	e.Pause = e.machine.Host.Restart.Value
	e.Restart = float64(len(rounds)) * e.Pause
	e.ReadL3, e.WriteL3 = int64(cores*read), int64(cores*written)
	e.L1 = e.ReadL3 + e.WriteL3
	e.stage(e.L1)
}

// mergeRound returns the seconds of a round in which every core merges a number of pairs.
func (e *estimate) mergeRound(read, written stream, merges int64) float64 {
	read.objects, written.objects = 2*merges, 2*merges
	l := e.newLine()
	in, out := e.spread(l, true, read), e.spread(l, false, written)
	in, out = append(in, in[0]), append(out, out[0])
	l.repeat(merges, func() { l.call(e.Merge, in, out) })
	return l.end()
}

// ranges times a scatter into lines that no core can hold: for every range of the result
// all updates of the line pass by.
func (e *estimate) ranges(n *workload.Normalize) {
	g, clock := &e.mapping, e.machine.Clock.Value
	length, last, updates := float64(g.TK), len(n.In)-1, int64(0)
	if last > 0 {
		updates = ceil(n.In[0].Walk.Row(), g.TK) // pieces
	}
	e.Sort = length * e.routine("element") / clock
	e.Merge = length * e.routine("scalar") / clock
	e.Rounds, e.Steps = 1, ceil(n.Rows*int(ceil(n.Cols, g.TK)), g.Cores())
	into, passing, result := e.piece(e.Steps), e.piece(e.Steps*updates), e.piece(e.Steps)
	into.join(g.TK*n.In[last].Carried(), g.Rows)
	result.join(g.TK*n.Out[0].DType.Size(), g.Rows)
	for _, s := range n.In[:last] {
		passing.join(e.length(n, s)*s.Carried(), g.Rows)
	}
	l := e.newLine()
	in, out := e.spread(l, true, into, passing), e.spread(l, false, result)
	l.repeat(e.Steps, func() {
		l.take(in[0])
		l.claim(out[0])
		l.work(e.Sort)
		l.give(in[0])
		l.repeat(updates, func() { l.call(e.Merge, in[1:], nil) })
		l.put(out[0])
	})
	read, write := into.bytes+float64(float64(updates)*passing.bytes), result.bytes
	e.flow(1, read, write, 1, 1)
	e.Step.Core = e.Sort + float64(float64(updates)*e.Merge)
	e.inner, e.Fill, e.Steady, e.Drain = e.Step.Core, 0, l.end(), 0
	units := float64(e.Steps) * float64(g.Cores())
	e.ReadL3, e.WriteL3 = int64(units*read), int64(units*write)
	e.L1 = e.ReadL3 + e.WriteL3
	e.stage(e.L1)
}
