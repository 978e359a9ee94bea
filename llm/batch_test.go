package llm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPassNumbers: one or two tokens have a pass of their own, and others are filled up to a power of two from 8 on.
func TestPassNumbers(t *testing.T) {
	b := newBatch(1024, 4)
	s := &sequence{tokens: make([]int, 20), limit: 300}
	require.True(t, s.room(b.pages, 20))
	for n, tokens := range map[int]int{1: 1, 2: 2, 3: 8, 8: 8, 9: 16} {
		p, start, ordered := b.numbers([]*sequence{s}, 0, n)
		require.Equal(t, Pass{1, tokens, 512}, p, n)
		require.Equal(t, pageTokens, start, "behind page 0")
		require.True(t, ordered)
	}
	s.cached = 19
	p, _, ordered := b.numbers([]*sequence{s, s, s}, -1, 1)
	require.Equal(t, Pass{4, 1, 256}, p)
	require.False(t, ordered)
}
