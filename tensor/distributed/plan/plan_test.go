package plan

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/distributed"
)

// message is sent when its sender has all messages of earlier rounds.
type message struct {
	from, to int
	bytes    float64
}

// simulate sends messages round by round and returns when the last has arrived. A port is busy with one
// message at a time, in each direction.
func simulate(ranks int, rounds [][]message, link func(m message) Link) float64 {
	sending, receiving, has := make([]float64, ranks), make([]float64, ranks), make([]float64, ranks)
	end := 0.0
	for _, round := range rounds {
		got := append([]float64(nil), has...)
		for _, m := range round {
			l := link(m)
			start := max(has[m.from], sending[m.from], receiving[m.to]-l.Latency)
			sending[m.from] = start + l.bytes(m.bytes)
			receiving[m.to] = start + l.message(m.bytes)
			got[m.to] = max(got[m.to], receiving[m.to])
			end = max(end, receiving[m.to])
		}
		has = got
	}
	return end
}

// ring are the messages of ranks in a ring. Each rank has parts of n bytes.
func ring(ranks []int, n float64, turns int) [][]message {
	var rounds [][]message
	for range turns * (len(ranks) - 1) {
		var round []message
		for i, r := range ranks {
			round = append(round, message{r, ranks[(i+1)%len(ranks)], n / float64(len(ranks))})
		}
		rounds = append(rounds, round)
	}
	return rounds
}

func tree(p int, n float64) [][]message {
	var up, down [][]message
	for step := 1; step < p; step *= 2 {
		var rising, falling []message
		for i := step; i < p; i += 2 * step {
			rising = append(rising, message{i, i - step, n})
			falling = append(falling, message{i - step, i, n})
		}
		up, down = append(up, rising), append([][]message{falling}, down...)
	}
	return append(up, down...)
}

func direct(p int, n float64) [][]message {
	exchange := func(n float64) (round []message) {
		for k := 1; k < p; k++ {
			for i := range p {
				round = append(round, message{i, (i + k) % p, n})
			}
		}
		return round
	}
	return [][]message{exchange(0), exchange(n / float64(p)), exchange(n / float64(p))}
}

// both joins rounds that pass at the same time.
func both(a, b [][]message) [][]message {
	if a == nil {
		return b
	}
	for i := range a {
		a[i] = append(a[i], b[i]...)
	}
	return a
}

func hierarchical(p, node int, n float64) (rounds [][]message) {
	var inside, across, again [][]message
	for first := 0; first < p; first += node {
		var ranks []int
		for i := range node {
			ranks = append(ranks, first+i)
		}
		inside, again = both(inside, ring(ranks, n, 1)), both(again, ring(ranks, n, 1))
	}
	for i := range node {
		var ranks []int
		for first := i; first < p; first += node {
			ranks = append(ranks, first)
		}
		across = both(across, ring(ranks, n/float64(node), 2))
	}
	return append(append(inside, across...), again...)
}

// TestFormulas compares the formulas with the messages. A tree over a number of ranks that is no power
// of two may be faster than its formula, by less than one level.
func TestFormulas(t *testing.T) {
	inner, outer := Link{2e-6, 100e9}, Link{1e-5, 10e9}
	const node = 4
	always := func(l Link) func(message) Link { return func(message) Link { return l } }
	for _, p := range []int{2, 3, 4, 6, 8, 12, 16, 32, 64} {
		for _, n := range []float64{8, 1e4, 1e6, 1e8} {
			ranks := make([]int, p)
			for i := range ranks {
				ranks[i] = i
			}
			what := fmt.Sprintf("%d ranks, %g bytes", p, n)
			near := func(want float64, r Reduction) {
				require.InEpsilon(t, want, r.Seconds(p, n), 1e-9, "%s over %s", r.Name, what)
			}
			near(simulate(p, ring(ranks, n, 2), always(outer)), Ring(outer))
			near(simulate(p, direct(p, n), always(outer)), Direct(outer))
			sent := simulate(p, tree(p, n), always(outer))
			if p&(p-1) == 0 {
				near(sent, Tree(outer))
			} else {
				require.LessOrEqual(t, sent, Tree(outer).Seconds(p, n)*(1+1e-9), what)
				require.Greater(t, sent, Tree(outer).Seconds(p/2+1, n)*(1-1e-9)-2*outer.message(n), what)
			}
			if p > node && p%node == 0 {
				near(simulate(p, hierarchical(p, node, n), func(m message) Link {
					if m.from/node == m.to/node {
						return inner
					}
					return outer
				}), Hierarchical(inner, outer, node))
			}
		}
	}
	for _, r := range []Reduction{Ring(outer), Tree(outer), Direct(outer), Hierarchical(inner, outer, node)} {
		require.Zero(t, r.Seconds(1, 1e6), r.Name)
	}
}

// TestStep compares overlap with its definition at its limits.
func TestStep(t *testing.T) {
	fixed := func(seconds float64) Reduction {
		return Reduction{"fixed", func(int, float64) float64 { return seconds }}
	}
	s := Step{Forward: 1, Backward: 2, Bytes: 100, Bucket: 25}
	c := s.On(2, fixed(0.1))
	require.InDelta(t, 0.4, c.Sum, 1e-12)
	require.InDelta(t, 3.4, c.After, 1e-12)
	require.InDelta(t, 3.1, c.Overlap, 1e-12, "the last bucket alone comes after the backward pass")
	require.InDelta(t, 2*3/3.1, c.Speedup, 1e-12)
	c = s.On(2, fixed(10))
	require.InDelta(t, 1.5+40, c.Overlap, 1e-12, "from the first bucket on, the ports are busy")
	require.Equal(t, Cost{Ranks: 1, Reduction: "fixed", After: 3, Overlap: 3, Share: 1, Speedup: 1}, s.On(1, fixed(1)))
	for _, p := range []int{2, 64, 4096} {
		c := s.On(p, Ring(Link{1e-3, 100}))
		require.LessOrEqual(t, c.Overlap, c.After)
		require.GreaterOrEqual(t, c.Overlap, 3.0)
	}
}

// TestRuns fits latency and bandwidth to reductions of two ranks of package distributed, and predicts reductions of
// more ranks and of other sizes, by a clock on which computing takes no time.
func TestRuns(t *testing.T) {
	const small, large = 1 << 10, 1 << 19
	runs := []struct{ ranks, bytes int }{{2, small}, {2, large}, {2, 1 << 18}, {4, small}, {4, large}, {8, large}}
	for _, c := range runs { // what lasts for longer than the test, such as workers, has a clock of its own
		measure(t, c.ranks, distributed.Link{}, c.bytes)
	}
	synctest.Test(t, func(t *testing.T) {
		link := distributed.Link{Latency: 20 * time.Millisecond, Bandwidth: 8e6}
		a, b := measure(t, 2, link, small), measure(t, 2, link, large)
		fitted := Link{Bandwidth: float64(large-small) / (b - a)}
		fitted.Latency = (a - fitted.bytes(float64(small))) / 3
		require.NoError(t, fitted.Check())
		const headers = 1e-3 // what the heads of messages are of the least
		require.InEpsilon(t, link.Latency.Seconds(), fitted.Latency, headers)
		require.InEpsilon(t, link.Bandwidth, fitted.Bandwidth, headers)
		for _, c := range runs {
			require.InEpsilon(t, measure(t, c.ranks, link, c.bytes), Direct(fitted).Seconds(c.ranks, float64(c.bytes)), headers, "%+v", c)
		}
	})
}

// measure is the shortest time of a reduction over links.
func measure(t *testing.T, ranks int, link distributed.Link, bytes int) float64 {
	best := math.Inf(1)
	require.NoError(t, distributed.RunOver(ranks, link, func(g *distributed.Group) error {
		x := tensor.Ones(bytes / 4)
		for range 4 {
			if err := g.Barrier(); err != nil {
				return err
			}
			start := time.Now()
			g.AllReduce(x, distributed.Sum).Float32s()
			if took := time.Since(start).Seconds(); g.Rank() == 0 {
				best = min(best, took)
			}
		}
		return nil
	}))
	return best
}
