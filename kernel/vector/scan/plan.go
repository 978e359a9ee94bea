package scan

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
)

// plan says which lines go forward together.
type plan struct {
	k     *kernel.Scan
	fold  fold.Fold
	lane  vector.Kind // of elements
	acc   vector.Kind // of accumulators
	lanes int

	lines, apart int // lines that lanes are, and elements from one to the next
	rest, others int // how often there are so many, and elements from one time to the next
	width        int // lines of a unit
	rows         int // elements of each line that one call takes
}

// vectors of accumulators that go forward together.
const vectors = 8

// The time of one unit that is aimed at, and of a call.
const unitNanos, callNanos = 50e3, 100e3

func newPlan(k *kernel.Scan, vectorBytes int) *plan {
	p := &plan{k: k, fold: fold.Of(k.Fold, k.X.DType, k.Unsigned)}
	p.lane, _ = vector.Element(k.X.DType)
	p.acc = p.lane
	if p.lane.IsFloat() && !p.fold.IsExtreme() {
		p.acc = vector.F64
	}
	p.lanes = vectorBytes / p.acc.Size()
	if k.Positions {
		p.lanes = vectorBytes / 8
	}
	p.lines, p.apart, p.rest, p.others = k.Inner, 1, k.Outer, k.N*k.Inner
	if k.Inner < p.lanes && k.Outer > k.Inner {
		p.lines, p.apart, p.rest, p.others = k.Outer, k.N*k.Inner, k.Inner, 1
	}
	const most = 2048 // accumulators, which are to stay in the cache
	group := vectors * p.lanes
	p.width = group * max(1, min(most, int(unitNanos/p.nanos()/float64(k.N)))/group)
	p.width = min(p.width, p.lines)
	p.rows = max(1, min(k.N, int(callNanos/p.nanos()/float64(p.width))))
	return p
}

// nanos estimates the time of one element.
func (p *plan) nanos() float64 {
	n := 4 / float64(min(p.lanes, p.lines))
	if p.k.Fold == kernel.FoldLogAddExp {
		n *= 20
	}
	return n
}

// blocks is how many units the lines have.
func (p *plan) blocks() int { return (p.lines + p.width - 1) / p.width }
