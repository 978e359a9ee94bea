package trace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// What is known of a number holds for its line, operator, types and argument, and for no other: a number that
// cannot be an input does not keep others from becoming inputs, wherever the program's files are.
func TestNumbersAreKnownApart(t *testing.T) {
	defer ForgetNumbers()
	var all []*site
	for _, op := range ops.All() {
		for d := dtype.Bool; d <= dtype.C128; d++ {
			s := &site{call: ops.Call{Op: op}, operands: []operand{{typ: ops.TensorType{DType: d}}}, slots: make([]slot, 3)}
			for arg := range s.slots {
				s.slots[arg].arg = arg
			}
			all = append(all, s)
		}
	}
	require.Greater(t, len(all), 5000)
	for _, s := range all {
		s.change(&s.slots[1], refused, false)
	}
	for _, s := range all {
		require.Equal(t, constant, s.state(&s.slots[0]).Load(), s.call.Op.Name())
		require.Equal(t, refused, s.state(&s.slots[1]).Load(), s.call.Op.Name())
	}
	s := all[0]
	s.change(&s.slots[2], varying, false)
	require.True(t, s.varies(&s.slots[2]))
	require.EqualValues(t, 1, lines.varying.Load())
	require.Equal(t, constant, all[1].state(&all[1].slots[2]).Load())
}

// A graph that was collected before one of its numbers became an input, or stopped to be one, is to be collected again.
func TestStale(t *testing.T) {
	defer ForgetNumbers()
	s := &site{call: ops.Call{Op: ops.MustLookup("mul.Scalar")}, slots: make([]slot, 1)}
	g := &Graph{Nodes: []*Node{{site: s}}}
	require.False(t, g.Stale())
	s.change(&s.slots[0], varying, false)
	require.True(t, g.Stale())
	g.Numbers = []Number{{g.Nodes[0], 0}}
	require.False(t, g.Stale())
	s.change(&s.slots[0], refused, true)
	require.True(t, g.Stale())
}
