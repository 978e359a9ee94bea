package group

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

// TestJoinedGroups: joined groups hold every operation once, know exactly who is before and after them, stand in an
// order in which they can run, and cannot be joined any further, but for groups that nothing connects where these are
// left apart.
func TestJoinedGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 150 {
		n := &nodes{ops: make([]*mlir.Operation, 3+r.IntN(14))}
		byRoot := map[int][]int{}
		var order []int
		for i := range n.ops {
			n.supported = append(n.supported, r.IntN(3) > 0)
			var before []int
			for k := range i {
				if r.IntN(6) == 0 {
					before = append(before, k)
				}
			}
			n.before = append(n.before, before)
			byRoot[i], order = []int{i}, append(order, i)
		}
		m := newJoiner(n, order, byRoot)
		any := r.IntN(2) == 0
		if m.joinNeighbours(); any {
			m.joinAny()
		}
		set := make([]int, len(n.ops))
		var all []int
		for place, k := range m.order {
			require.Equal(t, place, m.position[k])
			for _, i := range m.members[k] {
				set[i], all = k, append(all, i)
				require.Equal(t, m.group[k], n.supported[i])
			}
			require.True(t, m.group[k] || len(m.members[k]) == 1)
		}
		slices.Sort(all)
		require.Equal(t, order, all)
		after := map[[2]int]bool{}
		for i := range n.ops {
			for _, k := range n.before[i] {
				if a, b := set[k], set[i]; a != b {
					require.Less(t, m.position[a], m.position[b])
					after[[2]int{a, b}] = true
				}
			}
		}
		count := 0
		for _, k := range m.order {
			for b := range m.after[k] {
				require.True(t, after[[2]int{k, b}] && m.before[b][k])
				count++
			}
			for a := range m.before[k] {
				require.True(t, after[[2]int{a, k}] && m.after[a][k])
			}
		}
		require.Len(t, after, count)
		var leads func(from, to int) bool // through at least one other
		leads = func(from, to int) bool {
			for _, k := range m.order {
				if k != to && after[[2]int{from, k}] && (after[[2]int{k, to}] || leads(k, to)) {
					return true
				}
			}
			return false
		}
		for i, a := range m.order {
			for _, b := range m.order[i+1:] {
				if m.group[a] && m.group[b] && (any || after[[2]int{a, b}]) {
					require.True(t, leads(a, b), "two groups can be joined")
				}
			}
		}
	}
}
