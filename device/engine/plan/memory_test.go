package plan

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestArena: memory in use is aligned and never handed out twice, and what is free is all the rest, in blocks as large as
// can be. A take gets the smallest block that fits, and adds to the arena what the free end of it lacks.
func TestArena(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		var a arena
		var used []block
		for range 200 {
			if r.IntN(5) < 2 && len(used) > 0 {
				k := r.IntN(len(used))
				a.give(used[k].offset, used[k].bytes-r.IntN(arenaAlignment)) // as many as were asked for
				used = slices.Delete(used, k, k+1)
			} else {
				n := r.IntN(5 * arenaAlignment)
				want := block{a.size, max((n+arenaAlignment-1)/arenaAlignment, 1) * arenaAlignment}
				size, best := a.size+want.bytes, 0
				for _, b := range a.free {
					if b.bytes >= want.bytes && (best == 0 || b.bytes < best) {
						want.offset, size, best = b.offset, a.size, b.bytes
					} else if best == 0 && b.offset+b.bytes == a.size {
						want.offset, size = b.offset, b.offset+want.bytes
					}
				}
				require.Equal(t, want.offset, a.take(n))
				require.Equal(t, size, a.size)
				used = append(used, want)
			}
			all := slices.Concat(used, a.free)
			slices.SortFunc(all, func(x, y block) int { return cmp.Compare(x.offset, y.offset) })
			at := 0
			for _, b := range all {
				require.Equal(t, at, b.offset)
				at += b.bytes
			}
			require.Equal(t, a.size, at)
			for i := 1; i < len(a.free); i++ {
				require.Less(t, a.free[i-1].offset+a.free[i-1].bytes, a.free[i].offset, "in order, and apart")
			}
		}
	}
	var a arena
	a.take(mostBytes - arenaAlignment)
	require.Equal(t, mostBytes-arenaAlignment, a.take(2*arenaAlignment))
	require.Equal(t, mostBytes, a.size, "counting stops here")
}
