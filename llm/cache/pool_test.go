package cache

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/architecture"
)

// fill takes pages for a number of tokens, whose content is known afterwards.
func fill(p *Pool, pages int, first byte) (list []int) {
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

// TestPagesInOrder: the pages of a sequence lie in order also when all of them have been used, and are those that were
// left longest ago.
func TestPagesInOrder(t *testing.T) {
	p := NewPool(Span{}, 9)
	a, b, c := fill(p, 3, 1), fill(p, 2, 2), fill(p, 3, 3)
	require.Equal(t, [][]int{{1, 2, 3}, {4, 5}, {6, 7, 8}}, [][]int{a, b, c})
	_, ok := p.take(0, 1)
	require.False(t, ok)
	p.leave(c)
	p.leave(a)
	d := fill(p, 2, 4)
	require.Equal(t, []int{6, 7}, d, "c was left before a")
	require.Equal(t, 3, p.share(digest{1, 2, 1}), "a is there")
	require.NotContains(t, p.find, digest{3, 0, 1}, "c is overwritten")
	require.Equal(t, []int{8, 1, 2}, fill(p, 3, 5), "there are no three in a row")
	_, ok = p.take(3, 1)
	require.False(t, ok)
	p.leave(b)
	require.Equal(t, []int{4, 5}, fill(p, 2, 6))
}

// TestRetired: of a sequence whose next token is at a position, exactly the pages are given back whose tokens that
// token does not see, and the sequence holds no more than the pool is made for. What sees all tokens gives nothing
// back.
func TestRetired(t *testing.T) {
	for _, of := range []Span{{Window: 1}, {Window: 31}, {Window: 32}, {Window: 33}, {Window: 48}, {Window: 100}, {Window: 40, Chunked: true}, {Window: 32, Chunked: true}, {}} {
		pools := NewPools(1<<20, 1, 512, of)
		p := pools[0]
		s := &Sequence{Limit: 700}
		for s.Cached < 700 {
			require.True(t, s.Room(pools, s.Cached+1))
			require.LessOrEqual(t, len(p.users)-1-p.Free, of.Held(s.Limit))
			s.Tokens = append(s.Tokens, s.Cached)
			s.Advance(pools, 1)
			for i, page := range s.Tables[0].Pool {
				last, first := (i+1)*PageTokens-1, 0 // of the page, and what the token at s.cached sees
				switch {
				case of.Chunked:
					first = s.Cached - s.Cached%of.Window
				case of.Window > 0:
					first = s.Cached - of.Window + 1
				}
				require.Equal(t, last >= first, page != 0, "page %d of %d tokens, %+v", i, s.Cached, of)
			}
		}
		s.Leave(pools)
		require.Equal(t, len(p.users)-1, p.Free)
	}
	d := architecture.Description{Layers: 3, Window: 48, Context: 1024, Windows: []bool{true, false, true}}
	require.Equal(t, []Span{{Window: 48}, {}}, SpansOf(&d))
	d.Context = 48
	require.Equal(t, []Span{{}}, SpansOf(&d), "a window that sees the whole context")
}

// TestReusedWindows: a sequence has the pages of earlier sequences that its next token sees: all pages in one pool, and
// the window's pages in another. Where pages of the window are gone, it begins at an earlier page whose window is
// there.
func TestReusedWindows(t *testing.T) {
	pools := NewPools(1<<12, 1, 512, Span{}, Span{Window: 64})
	tokens := make([]int, 400)
	for i := range tokens {
		tokens[i] = i
	}
	first := &Sequence{Tokens: tokens[:330], Limit: 400}
	require.True(t, first.Room(pools, 330))
	first.Advance(pools, 330)
	first.Leave(pools)
	has := func(want int) {
		t.Helper()
		s := &Sequence{Tokens: tokens, Limit: 400}
		s.Reuse(pools)
		require.Equal(t, want, s.Cached)
		require.Len(t, s.Tables[0].Pool, want/PageTokens)
		require.Equal(t, max(0, (want-63)/PageTokens), s.Tables[1].Gone)
		for i, page := range s.Tables[1].Pool {
			require.Equal(t, i >= s.Tables[1].Gone, page != 0)
		}
		s.Leave(pools)
		for _, p := range pools {
			require.Equal(t, len(p.users)-1, p.Free)
		}
	}
	has(320)
	window := pools[1]
	window.forget(10) // of tokens 288 to 319
	has(288)
	window.forget(8)
	has(224)
	window.forget(1) // which no later token sees
	has(224)
	pools[0].forget(3)
	has(0)
	pools[0].forget(1)
	has(0)
}

// TestReserve: a sequence holds pages for all its tokens where every token is seen, and takes none of a window before a
// pass, for whose next tokens pages must be free.
func TestReserve(t *testing.T) {
	all, window := NewPool(Span{}, 9), NewPool(Span{Window: PageTokens}, 4)
	pools := []*Pool{all, window}
	s := &Sequence{Tokens: make([]int, 5), Limit: 8 * PageTokens}
	require.True(t, s.Reserve(pools, 6*PageTokens+1, 3*PageTokens))
	require.Len(t, s.Tables[0].Pool, 7)
	require.Empty(t, s.Tables[1].Pool)
	require.Equal(t, [2]int{1, 3}, [2]int{all.Free, window.Free})
	require.False(t, s.Reserve(pools, 6*PageTokens+1, 3*PageTokens+1), "a page of the window is missing")
	require.True(t, s.Reserve(pools, 3*PageTokens, 4*PageTokens), "no more than there are tokens")
	require.Equal(t, 3*PageTokens-5, s.PagesLeft(pools), "the window has the fewest pages")
	require.True(t, s.Room(pools, PageTokens))
	require.Equal(t, [2]int{1, 2}, [2]int{all.Free, window.Free})
	require.Equal(t, 3*PageTokens-5, s.PagesLeft(pools), "own pages and free ones")
	other := &Sequence{Limit: 8 * PageTokens}
	require.False(t, other.Reserve(pools, 2*PageTokens, 1), "one page is left where every token is seen")
	other.Leave(pools)
	s.Advance(pools, 5)
	s.Leave(pools)
	require.Equal(t, &Sequence{Tokens: s.Tokens, Limit: s.Limit}, s, "as it was before it had pages")
	require.Equal(t, [2]int{8, 3}, [2]int{all.Free, window.Free})
}

// TestReserveStates: a sequence with states needs a slot that is free.
func TestReserveStates(t *testing.T) {
	pools := []*Pool{NewPool(States, 2)}
	require.True(t, (&Sequence{Limit: 64}).Reserve(pools, 64, 1))
	_, ok := pools[0].take(0, 1)
	require.True(t, ok)
	require.False(t, (&Sequence{Limit: 64}).Reserve(pools, 64, 1))
}
