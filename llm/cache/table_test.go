package cache

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTable: a sequence has as many pages as its tokens fill, and gives a page back once the window has left its last
// token.
func TestTable(t *testing.T) {
	const window = 2 * PageTokens
	p := NewPool(Span{Window: window}, 9)
	var s Table
	for _, c := range []struct{ tokens, Pool int }{{1, 1}, {PageTokens, 1}, {PageTokens + 1, 2}, {3 * PageTokens, 3}} {
		require.True(t, s.grow(p, c.tokens, 4*PageTokens))
		require.Len(t, s.Pool, c.Pool, "%d tokens", c.tokens)
	}
	// The token at a position sees itself and the window - 1 tokens before it.
	for _, c := range []struct{ position, gone int }{{PageTokens + window - 2, 0}, {PageTokens + window - 1, 1}, {2*PageTokens + window - 2, 1}} {
		s.retire(p, c.position)
		require.Equal(t, c.gone, s.Gone, "position %d", c.position)
	}
	require.Zero(t, s.Pool[0])
	require.Equal(t, 8-2, p.Free)
}
