package lazy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLookAfter: a trace is looked at again when it is half as long again, or when it would have as many calls as may
// wait.
func TestLookAfter(t *testing.T) {
	for _, c := range []struct{ depth, calls, most, want int }{
		{0, 0, 0, firstLook},
		{10, 10, 0, firstLook},
		{firstLook, firstLook, 0, firstLook * 3 / 2},
		{5000, 5000, 0, 7500},
		{5000, 10000, 0, 7500},     // how many calls there are counts only where they are bounded
		{5000, 5000, 6000, 6000},   // a chain
		{5000, 10000, 12000, 6000}, // two calls for each step in depth
		{5000, 2500, 2900, 5800},   // a call for each second step
		{5000, 5000, 5001, 5000 + leastLook},
		{5000, 5000, 4000, 5000 + leastLook},
		{5000, 5000, 90000, 7500},
		{10, 10, 20, 10 + leastLook},
		{100, 0, 200, firstLook}, // all calls were computed
	} {
		var b budget
		b.lookAfter(c.depth, c.calls, c.most)
		require.EqualValues(t, c.want, b.look.Load(), "%v", c)
	}
}

// TestRanRenewsTheLook: a barrier that computes most of a trace lets the next one start from the beginning.
func TestRanRenewsTheLook(t *testing.T) {
	for _, c := range []struct {
		look, want int64
		calls      int
	}{
		{5000, firstLook, 2500}, {5000, 5000, 2499}, {5000, firstLook, 9000},
		{firstLook, firstLook, 5000}, {leastLook, leastLook, 5000}, {0, 0, 5000},
	} {
		var b budget
		b.look.Store(c.look)
		b.ran(c.calls)
		require.Equal(t, c.want, b.look.Load(), "%v", c)
	}
}

// TestReceivedLooks: as soon as half of what a trace may hold has come, the next call looks.
func TestReceivedLooks(t *testing.T) {
	var b budget
	b.set, b.mostBytes = true, 1000
	for range 2 {
		b.look.Store(7)
		b.received(300)
		b.received(200)
		require.EqualValues(t, 7, b.look.Load())
		b.received(1)
		require.Zero(t, b.look.Load())
	}
	b.mostBytes = 0
	b.look.Store(7)
	b.received(1 << 40)
	require.EqualValues(t, 7, b.look.Load(), "nothing is bounded")
}
