package lazy

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// TestCacheShare: without a bound of its own the cache keeps an eighth of the memory limit, and what is cleared does
// not count.
func TestCacheShare(t *testing.T) {
	defer buf.SetLimit(buf.SetLimit(8 * 100))
	for range 2 {
		c := &cache{limit: 3}
		add := func(key uint64, bytes int64) {
			p, _, _ := c.claim(ops.Hash{Lo: key}, &trace.Sketch{})
			p.exe, p.memory.Kept = compiled{}, bytes
			c.done(p)
		}
		add(1, 50)
		add(2, 50)
		require.Equal(t, 2, c.count)
		add(3, 1)
		require.Equal(t, []int64{2, 51}, []int64{int64(c.count), c.held})
		c.clear()
		require.Equal(t, []int64{0, 0}, []int64{int64(c.count), c.held})
		for k := range uint64(3) {
			add(k, 33)
		}
		require.Equal(t, []int64{3, 99}, []int64{int64(c.count), c.held}, "clear left nothing that counts")
		add(9, 101)
		require.Equal(t, []int64{1, 101}, []int64{int64(c.count), c.held}, "the newest stays")
	}
}

// TestFailedProgramsLeaveTheFamily: a program that could not be compiled gives way to the one of its family that
// was there before, if that is still kept.
func TestFailedProgramsLeaveTheFamily(t *testing.T) {
	c := &cache{limit: 2}
	claim := func(key uint64, ok bool) (before *program) {
		p, before, mine := c.claim(ops.Hash{Lo: key}, &trace.Sketch{})
		require.True(t, mine)
		if ok {
			p.exe = compiled{}
		}
		c.done(p)
		return before
	}
	require.Nil(t, claim(1, false))
	require.Nil(t, claim(1, true))
	first := c.find(ops.Hash{Lo: 1})
	require.Same(t, first, claim(2, false))
	require.Same(t, first, claim(2, false), "the failed one is forgotten")
	require.Same(t, first, claim(3, true))
	require.Equal(t, uint64(3), claim(4, true).key.Lo)
	require.Nil(t, c.find(ops.Hash{Lo: 1}), "there are two")
	require.Equal(t, uint64(4), claim(5, false).key.Lo)
	require.Nil(t, c.families[first.family].before)
}

// TestEachStops: programs are visited from the newest until the function returns false.
func TestEachStops(t *testing.T) {
	c := &cache{limit: 9}
	for key := range uint64(4) {
		p, _, _ := c.claim(ops.Hash{Lo: key}, &trace.Sketch{})
		p.exe = compiled{}
		c.done(p)
	}
	var seen []uint64
	c.each(func(p *program) bool { seen = append(seen, p.key.Lo); return len(seen) < 2 })
	require.Equal(t, []uint64{3, 2}, seen)
}
