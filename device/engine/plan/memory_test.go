package plan

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestArrange: lifetimes that share a step share no byte, every lifetime is aligned, and the arena is no larger than
// its lifetimes need. Without gaps that is the most memory that one step has.
func TestArrange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		steps := 1 + r.IntN(40)
		live := make([]int, steps)
		var list []*lifetime
		sum := 0
		for range r.IntN(100) + 1 {
			l := &lifetime{first: r.IntN(steps), bytes: r.IntN(9 * arenaAlignment)}
			l.last = l.first + r.IntN(min(4, steps-l.first))
			list = append(list, l)
			bytes := max((l.bytes+arenaAlignment-1)/arenaAlignment, 1) * arenaAlignment
			sum += bytes
			for i := l.first; i <= l.last; i++ {
				live[i] += bytes
			}
		}
		size := arrange(list)
		require.GreaterOrEqual(t, size, slices.Max(live))
		require.LessOrEqual(t, size, slices.Max(live)*5/4)
		end := 0
		for i, x := range list {
			require.Zero(t, x.offset%arenaAlignment)
			end = max(end, x.offset+x.bytes)
			for _, y := range list[:i] {
				if x.first <= y.last && y.first <= x.last {
					require.True(t, x.offset+x.bytes <= y.offset || y.offset+y.bytes <= x.offset)
				}
			}
		}
		require.Equal(t, end, size)
	}
}

// TestArrangeLargeFirst: a small lifetime that begins early lies behind large ones that begin later. In the order in
// which they begin, these four take 15 KiB.
func TestArrangeLargeFirst(t *testing.T) {
	list := []*lifetime{
		{first: 0, last: 1, bytes: 4 << 10},
		{first: 1, last: 5, bytes: 1 << 10},
		{first: 2, last: 3, bytes: 6 << 10},
		{first: 4, last: 5, bytes: 10 << 10},
	}
	require.Equal(t, 11<<10, arrange(list), "what the last two need")
}

// TestArrangeTooLarge: counting stops at mostBytes.
func TestArrangeTooLarge(t *testing.T) {
	list := []*lifetime{{bytes: mostBytes - arenaAlignment}, {bytes: 2 * arenaAlignment}, {bytes: mostBytes}}
	require.Equal(t, mostBytes, arrange(list))
}
