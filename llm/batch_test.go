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
		p, start, ordered := b.numbers([]piece{{s, 0, n}})
		require.Equal(t, Pass{1, tokens, 512}, p, n)
		require.Equal(t, pageTokens, start, "behind page 0")
		require.True(t, ordered)
	}
	s.cached = 19
	p, _, ordered := b.numbers(pieces([]*sequence{s, s, s}))
	require.Equal(t, Pass{4, 1, 256}, p)
	require.False(t, ordered)
}

// TestSharedPasses: prompts that are filled up to as many tokens as the first one share its pass, as many as a power of two and 512 tokens at most.
func TestSharedPasses(t *testing.T) {
	for _, c := range []struct{ rests, counts []int }{
		{[]int{20}, []int{20}},
		{[]int{20, 33, 2, 32}, []int{20, 2}},               // of 32 tokens; 33 are filled up to 64, and two are no sign of a fourth
		{[]int{600, 512, 300}, []int{512}},                 // no room for another
		{[]int{200, 300, 129, 256}, []int{200, 129}},       // of 256
		{[]int{40, 40, 41, 42, 43}, []int{40, 40, 41, 42}}, // the fifth waits
	} {
		var prompts []*sequence
		for _, n := range c.rests {
			prompts = append(prompts, &sequence{tokens: make([]int, n+7), cached: 7})
		}
		var counts []int
		for _, p := range shared(prompts) {
			require.Equal(t, 7, p.from)
			counts = append(counts, p.count)
		}
		require.Equal(t, c.counts, counts)
	}
	b := newBatch(1024, 4)
	s := &sequence{tokens: make([]int, 20), limit: 300}
	require.True(t, s.room(b.pages, 20))
	p, _, _ := b.numbers([]piece{{s, 0, 9}, {s, 0, 3}})
	require.Equal(t, Pass{2, 32, 256}, p)
}
