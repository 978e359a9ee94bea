package trace

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/ops"
)

// numbered numbers the calls of a graph, as [Graph.Pieces] does.
func numbered(g *Graph) *Graph {
	for i, n := range g.Nodes {
		n.number = uint32(i + 1)
	}
	return g
}

// randomGraph has calls on values of several sizes, some of which are roots, and some computed.
func randomGraph(t *testing.T, seed uint64, calls int) *Graph {
	r := rand.New(rand.NewPCG(seed, 11))
	values := []ops.Value{leaf(1, 1), leaf(4, 1), leaf(1, 8)}
	names := []string{"add.Tensor", "mul.Tensor", "maximum"}
	for range calls {
		x, y := values[max(0, len(values)-1-r.IntN(12))], values[max(0, len(values)-1-r.IntN(12))]
		next := record(t, names[r.IntN(3)], x, y)
		if r.IntN(3) == 0 {
			next = apply(t, "mean.dim", x, []int{r.IntN(2)}, true)
		}
		values = append(values, next)
		if r.IntN(20) == 0 {
			values = append(values, leaf(4, 1))
		}
	}
	roots := []ops.Value{values[0], values[len(values)-1]}
	for range 3 {
		roots = append(roots, values[r.IntN(len(values))])
	}
	return numbered(Collect(roots))
}

// users are, for each call, the calls that take a result of it, and the number of calls if a root is one.
func users(g *Graph) [][]int {
	by := make([][]int, len(g.Nodes))
	for i, n := range g.Nodes {
		for k, m := range g.Nodes {
			if slices.Contains(m.operands(), n) {
				by[i] = append(by[i], k)
			}
		}
		for _, r := range g.Roots {
			if r.Node == n {
				by[i] = append(by[i], len(g.Nodes))
			}
		}
	}
	return by
}

// TestCrossing: the values that cross after a call are computed up to it and taken by later calls or by the roots, and
// a piece hands on the values of its calls that later pieces or the roots take.
func TestCrossing(t *testing.T) {
	for seed := range uint64(12) {
		g := randomGraph(t, seed, 60)
		by := users(g)
		cross := g.crossing()
		for i := range g.Nodes {
			var want int64
			for k, n := range g.Nodes[:i+1] {
				if slices.Max(by[k]) > i {
					want += n.Bytes()
				}
			}
			require.Equal(t, want, cross[i], "after call %d of seed %d", i, seed)
		}
		ends := []int{7, 8, 20, 45}
		if len(g.Nodes) <= 45 {
			ends = []int{1, 3}
		}
		for p, have := range g.taken(ends) {
			from := 0
			if p > 0 {
				from = ends[p-1]
			}
			var want []ops.Value
			for k := from; k < ends[p]; k++ {
				if slices.Max(by[k]) >= ends[p] {
					want = append(want, g.Nodes[k])
				}
			}
			require.ElementsMatch(t, want, have, "piece %d of seed %d", p, seed)
		}
	}
}

// TestPlainPieces: what does not repeat itself is divided into pieces of more than half as many calls as they may have,
// each of which ends where the fewest bytes cross, the last such place.
func TestPlainPieces(t *testing.T) {
	for seed := range uint64(12) {
		g := randomGraph(t, seed, 100)
		for _, most := range []int{1, 2, 7, 20, 33, len(g.Nodes) - 1} {
			c := &cutter{g: g, most: most, cross: g.crossing()}
			c.plainTo(len(g.Nodes))
			from := 0
			for _, end := range c.ends {
				require.Greater(t, len(g.Nodes)-from, most, "it would do as one")
				require.True(t, end-from <= most && end-from > most/2, "%d calls of at most %d", end-from, most)
				for other := from + most/2 + 1; other <= from+most; other++ {
					if other > end {
						require.Greater(t, c.cross[other-1], c.cross[end-1])
					} else {
						require.GreaterOrEqual(t, c.cross[other-1], c.cross[end-1])
					}
				}
				from = end
			}
			require.LessOrEqual(t, len(g.Nodes)-from, most)
			require.Len(t, g.Pieces(most), len(c.ends))
			numbered(g)
		}
		require.Nil(t, g.Pieces(len(g.Nodes)))
	}
}

// line records calls in a row, each on the result of the one before.
func line(t *testing.T, names ...string) *Graph {
	var v ops.Value = leaf(2)
	for _, name := range names {
		v = record(t, name, v)
	}
	return numbered(Collect([]ops.Value{v}))
}

// word is n names that a seed determines.
func word(n int, seed uint64) (names []string) {
	r := rand.New(rand.NewPCG(seed, 12))
	for range n {
		names = append(names, []string{"relu", "neg", "exp", "sin", "cos", "tanh"}[r.IntN(6)])
	}
	return names
}

// TestRepeats: stretches that repeat themselves are found from their first whole turn to the last call that is like
// the one a turn before, if they are long enough, and do not overlap.
func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		before, turn, turns, after, most int
		found                            bool
	}{
		{0, 10, 30, 0, 100, true}, {33, 10, 30, 0, 100, true}, {33, 10, 30, 25, 100, true}, {5, 40, 6, 5, 100, true},
		{5, 60, 3, 5, 100, false},                           // too few turns
		{5, 60, 4, 5, 480, true}, {5, 60, 4, 5, 600, false}, // too few calls
		{5, 1, 200, 5, 100, true}, {40, 0, 0, 0, 100, false},
	} {
		var names []string
		add := func(list []string) { names = append(names, list...) }
		add(word(c.before, 5))
		for range c.turns {
			add(word(c.turn, 6))
		}
		end := len(names)
		if c.after > 0 {
			add([]string{"abs"})
			add(word(c.after, 7))
		}
		list := line(t, names...).repeats(c.most)
		if !c.found {
			require.Empty(t, list, c)
			continue
		}
		require.Len(t, list, 1, c)
		require.Equal(t, c.turn, list[0].turn, c)
		require.Equal(t, end, list[0].end, c)
		require.InDelta(t, c.before, list[0].start, gramCalls, c)
		for i := list[0].start; i+c.turn < end; i++ {
			require.Equal(t, names[i], names[i+c.turn], c)
		}
	}
	// Two loops; the second begins within a part that is like the first.
	var names []string
	for range 30 {
		names = append(names, "relu", "neg", "exp", "sin", "cos", "tanh", "relu", "neg", "exp", "exp")
	}
	for range 30 {
		names = append(names, "relu", "neg", "exp", "sin", "cos", "tanh", "relu", "neg", "exp", "exp", "abs")
	}
	list := line(t, names...).repeats(100)
	require.Len(t, list, 2)
	require.Equal(t, []int{10, 11}, []int{list[0].turn, list[1].turn})
	require.LessOrEqual(t, list[0].end, list[1].start)
	require.Equal(t, len(names), list[1].end)
}
