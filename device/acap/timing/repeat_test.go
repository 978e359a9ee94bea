package timing

import (
	"math"
	"math/rand/v2"
	"testing"
)

// blockLine is a core that takes objects of two streams for every step of a block, and some
// more of the second, of another kind, for its end; its results may take long to leave.
type blockLine struct {
	line
	first, second, results int
	step, finish           float64
	blocks, steps, added   int64
}

func newBlockLine(r *rand.Rand) *blockLine {
	b := &blockLine{blocks: 1 + r.Int64N(40), steps: 1 + r.Int64N(400), added: r.Int64N(3),
		step: r.Float64(), finish: r.Float64()}
	depth := func() int { return b.buffer(1 + r.IntN(2)) }
	b.first, b.second, b.results = depth(), depth(), depth()
	connect := func(from, to, resource int, seconds float64) *hop {
		h := hop{from: end{buffer: from}, to: end{buffer: to}, seconds: seconds, setup: r.Float64() / 10}
		for k := range h.kinds {
			h.kinds[k].weight = 1 + 9*r.Float64()
			h.kinds[k].use[resource] = seconds * 2 * r.Float64()
			h.kinds[k].use[bothMemory] = h.kinds[k].use[resource] / 2
		}
		b.hops = append(b.hops, h)
		return &b.hops[len(b.hops)-1]
	}
	h := connect(outside, b.first, readMemory, r.Float64())
	h.set = b.blocks * b.steps
	h = connect(outside, b.second, readMemory, r.Float64())
	h.set = b.blocks * (b.steps + b.added)
	if b.added > 0 {
		h.plain, h.cycle = b.steps, b.steps+b.added
	}
	connect(b.results, outside, writeMemory, math.Exp(8*r.Float64()-2))
	b.issue(0)
	b.issue(1)
	return b
}

// run returns the seconds of all blocks and what they are spent on, with loops that run as
// told.
func (b *blockLine) run(repeat func(n int64, iteration func())) (float64, [phases]float64) {
	repeat(b.blocks, func() {
		b.claim(b.results)
		repeat(b.steps, func() { b.call(b.step, []int{b.first, b.second}, nil) })
		repeat(b.added, func() { b.call(0, []int{b.second}, nil) })
		b.rest(b.finish)
		b.put(b.results)
	})
	return b.end(), b.spent
}

// TestRepeat runs every iteration of random loops and expects the times that come of
// adding up those that are alike.
func TestRepeat(t *testing.T) {
	skipped := 0
	for seed := range uint64(300) {
		whole := newBlockLine(rand.New(rand.NewPCG(seed, 1)))
		short := newBlockLine(rand.New(rand.NewPCG(seed, 1)))
		iterations := 0
		want, wantSpent := whole.run(func(n int64, iteration func()) {
			for range n {
				iteration()
			}
		})
		got, spent := short.run(func(n int64, iteration func()) {
			short.repeat(n, func() { iterations++; iteration() })
		})
		if math.Abs(got-want) > 1e-6*want {
			t.Errorf("%d: %g s of %d blocks of %d and %d steps, want %g", seed, got, short.blocks,
				short.steps, short.added, want)
		}
		for i := range spent {
			if math.Abs(spent[i]-wantSpent[i]) > 1e-6*want {
				t.Errorf("%d: %g s in phase %d, want %g", seed, spent[i], i, wantSpent[i])
			}
		}
		if all := whole.blocks * (1 + whole.steps + whole.added); int64(iterations) < all/4 {
			skipped++
		}
	}
	t.Logf("%d of 300 run less than a quarter of their iterations", skipped)
	if skipped < 250 {
		t.Errorf("only %d of 300 lines skip three quarters of their iterations", skipped)
	}
}
