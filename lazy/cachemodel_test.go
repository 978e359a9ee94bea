package lazy

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// TestCacheIsAList compares the cache with a list of programs, the one that was used last in front:
// what is found, which programs go when there are too many or they keep too much, and that those that
// could not be compiled leave nothing behind.
func TestCacheIsAList(t *testing.T) {
	type entry struct{ key, bytes int64 }
	r := rand.New(rand.NewPCG(1, 7))
	for range 60 {
		var list []entry
		var gone, left []int64
		c := &cache{limit: 1 + r.IntN(6), most: int64(1 + r.IntN(60)),
			gone: func(p *program) { gone = append(gone, int64(p.key.Lo)) }}
		key := func(k int64) ops.Hash { return ops.Hash{Lo: uint64(k)} }
		for range 200 {
			k := int64(r.IntN(12))
			at := -1
			for i, e := range list {
				if e.key == k {
					at = i
				}
			}
			switch r.IntN(20) {
			case 0:
				c.clear()
				for _, e := range list {
					left = append(left, e.key)
				}
				list = nil
			case 1, 2, 3, 4, 5, 6, 7, 8:
				p := c.find(key(k))
				require.Equal(t, at >= 0, p != nil)
				if at >= 0 {
					e := list[at]
					list = append([]entry{e}, append(append([]entry{}, list[:at]...), list[at+1:]...)...)
				}
			default:
				p, _, mine := c.claim(key(k), &trace.Sketch{})
				require.Equal(t, at < 0, mine)
				if !mine {
					break
				}
				require.False(t, p.isReady())
				other, _, mine := c.claim(key(k), &trace.Sketch{})
				require.True(t, other == p && !mine, "one compiles for all")
				if r.IntN(4) > 0 {
					p.exe, p.memory.Kept = compiled{}, int64(r.IntN(30)-5)
					list = append([]entry{{k, max(p.memory.Kept, 0)}}, list...)
				}
				c.done(p)
				require.True(t, p.isReady())
				sum := func() (n int64) {
					for _, e := range list {
						n += e.bytes
					}
					return n
				}
				for len(list) > 1 && (len(list) > c.limit || sum() > c.most) {
					left = append(left, list[len(list)-1].key)
					list = list[:len(list)-1]
				}
			}
			var have, want []int64
			c.each(func(p *program) bool { have = append(have, int64(p.key.Lo)); return true })
			held := int64(0)
			for _, e := range list {
				want, held = append(want, e.key), held+e.bytes
			}
			require.Equal(t, want, have)
			require.Equal(t, left, gone)
			require.Equal(t, held, c.held)
			require.Len(t, c.entries, len(list))
			require.LessOrEqual(t, len(c.families), min(1, len(list)), "all are of one family")
		}
	}
}

// compiled is a program that nobody runs.
type compiled struct{ device.Executable }
