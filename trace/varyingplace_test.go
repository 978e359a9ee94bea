package trace

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLinesShareAPlace: numbers of two kinds whose lines have the same place both vary once they are
// said to. Else a graph would be collected again without an end.
func TestLinesShareAPlace(t *testing.T) {
	defer ForgetNumbers()
	s := &site{slots: []slot{{kind: 1, line: 8}, {kind: 2, line: 8}}}
	for i := range s.slots {
		l := &s.slots[i]
		s.change(l, varying, false)
		require.True(t, s.varies(l))
	}
	require.Equal(t, int32(1), lines.varying.Load())
}

// A graph that was collected before one of its numbers became an input, or stopped to be one, is to be collected again.
func TestStale(t *testing.T) {
	defer ForgetNumbers()
	s := &site{slots: []slot{{kind: 3, line: 16}}}
	g := &Graph{Nodes: []*Node{{site: s}}}
	require.False(t, g.Stale())
	s.change(&s.slots[0], varying, false)
	require.True(t, g.Stale())
	g.Numbers = []Number{{g.Nodes[0], 0}}
	require.False(t, g.Stale())
	s.change(&s.slots[0], refused, true)
	require.True(t, g.Stale())
}
