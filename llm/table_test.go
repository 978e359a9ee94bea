package llm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTable: a sequence has as many pages as its tokens fill, and gives a page back once the window has left its last token.
func TestTable(t *testing.T) {
	const window = 2 * pageTokens
	p := newPages(span{window: window}, 9)
	var s table
	for _, c := range []struct{ tokens, pages int }{{1, 1}, {pageTokens, 1}, {pageTokens + 1, 2}, {3 * pageTokens, 3}} {
		require.True(t, s.grow(p, c.tokens, 4*pageTokens))
		require.Len(t, s.pages, c.pages, "%d tokens", c.tokens)
	}
	// The token at a position sees itself and the window - 1 tokens before it.
	for _, c := range []struct{ position, gone int }{{pageTokens + window - 2, 0}, {pageTokens + window - 1, 1}, {2*pageTokens + window - 2, 1}} {
		s.retire(p, c.position)
		require.Equal(t, c.gone, s.gone, "position %d", c.position)
	}
	require.Zero(t, s.pages[0])
	require.Equal(t, 8-2, p.free)
}
