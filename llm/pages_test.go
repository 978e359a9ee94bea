package llm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// fill takes pages for so many tokens, whose content is known afterwards.
func fill(p *pages, pages int, first byte) (list []int) {
	for i := range pages {
		last := 0
		if i > 0 {
			last = list[i-1]
		}
		page, ok := p.take(last, pages)
		if !ok {
			return list
		}
		list = append(list, page)
		p.keep(page, digest{first, byte(i), 1})
	}
	return list
}

// TestPagesInOrder: the pages of a sequence lie in order also when all of them have been used, and are those that were left longest ago.
func TestPagesInOrder(t *testing.T) {
	p := newPages(9)
	a, b, c := fill(p, 3, 1), fill(p, 2, 2), fill(p, 3, 3)
	require.Equal(t, [][]int{{1, 2, 3}, {4, 5}, {6, 7, 8}}, [][]int{a, b, c})
	_, ok := p.take(0, 1)
	require.False(t, ok)
	p.leave(c)
	p.leave(a)
	d := fill(p, 2, 4)
	require.Equal(t, []int{6, 7}, d, "c was left before a")
	_, ok = p.share(digest{1, 2, 1})
	require.True(t, ok, "a is there")
	_, ok = p.share(digest{3, 0, 1})
	require.False(t, ok, "c is overwritten")
	require.Equal(t, []int{8, 1, 2}, fill(p, 3, 5), "there are no three in a row")
	_, ok = p.take(3, 1)
	require.False(t, ok)
	p.leave(b)
	require.Equal(t, []int{4, 5}, fill(p, 2, 6))
}

// TestRetired: of a sequence whose next token is at a position, exactly the pages are given back whose tokens that
// token does not see; their places are taken again before others. What has a window in some layers, or parts that do
// not move, gives nothing back.
func TestRetired(t *testing.T) {
	for _, window := range []int{1, 31, 32, 33, 48, 100} {
		p := newPages(16)
		s := &sequence{window: window, limit: 1 << 20}
		highest := 0
		for s.cached < 700 {
			require.True(t, s.room(p, s.cached+1))
			require.LessOrEqual(t, len(p.users)-1-p.free, windowPages(window))
			s.tokens = append(s.tokens, s.cached)
			s.advance(p, 1)
			for i, page := range s.pages {
				seen := (i+1)*pageTokens-1 > s.cached-window
				require.Equal(t, seen, page != 0, "page %d of %d tokens with a window of %d", i, s.cached, window)
				highest = max(highest, page)
			}
		}
		require.LessOrEqual(t, highest, windowPages(window))
		s.leave(p)
		require.Equal(t, len(p.users)-1, p.free)
	}
	for want, d := range map[int]Description{48: {Layers: 2, Window: 48}, 0: {Layers: 2, Window: 48, Windows: []bool{true, false}}} {
		require.Equal(t, want, d.everyWindow())
	}
	require.Zero(t, (&Description{Layers: 2, Window: 48, Chunked: true}).everyWindow())
	require.Zero(t, (&Description{Layers: 2}).everyWindow())
}
