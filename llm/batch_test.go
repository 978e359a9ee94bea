package llm

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPassNumbers: a long piece alone is a sequence of tokens, filled up to a power of two; up to 16 tokens are rows, as all pieces of several
// sequences are, filled up to a power of two, or three quarters of one, or the most sequences.
func TestPassNumbers(t *testing.T) {
	b := newBatch(1024, 10, span{})
	s := &sequence{tokens: make([]int, 20), limit: 300}
	require.True(t, s.room(b.pools, 20))
	for n, want := range map[int]Pass{1: {1, 1, 512}, 3: {3, 1, 512}, 5: {6, 1, 512}, 8: {8, 1, 512}, 9: {10, 1, 512}, 11: {12, 1, 512}, 16: {16, 1, 512},
		17: {1, 32, 512}} {
		require.Equal(t, want, b.numbers([]piece{{s, 0, n}}), n)
		require.Equal(t, map[bool]int{true: 1}[n > 16]+map[bool]int{true: want.Sequences}[1 < n && n <= 16], picks([]piece{{s, 0, n}}, want, 20), n)
	}
	list := []piece{{s, 19, 1}, {s, 19, 1}, {s, 0, 20}}
	p := b.numbers(list)
	require.Equal(t, Pass{24, 1, 256}, p)
	require.Equal(t, 10, picks(list, p, 10), "no more than there are sequences")
}

// TestShortPrompts: rests of prompts whose tokens see 16,384 places together at most share the pass of the tokens, as far as 512 rows go; others
// take turns with them.
func TestShortPrompts(t *testing.T) {
	for _, c := range []struct {
		rests         []int // behind 7 tokens
		first, second []int // pieces of two passes that nothing is computed between
	}{
		{[]int{20}, []int{20}, []int{20}},
		{[]int{1, 33, 1, 2}, []int{1, 1, 33, 2}, []int{1, 1, 33, 2}},
		{[]int{124, 124, 124, 124, 17, 3}, []int{124, 124, 124, 124}, []int{124, 124, 124, 124}}, // 513 rows are too many
		{[]int{125}, []int{125}, []int{125}},                                                     // alone, 125 · 132
		{[]int{600, 1, 600, 5}, []int{1, 5}, []int{512}},                                         // in turn
		{[]int{200, 300}, []int{200}, []int{200}},                                                // the second waits
	} {
		b := newBatch(1024, 10, span{})
		for _, n := range c.rests {
			b.running = append(b.running, &sequence{tokens: make([]int, n+7), cached: 7})
		}
		for _, want := range [][]int{c.first, c.second} {
			var counts []int
			list, tokens := b.next()
			for i, p := range list {
				require.Equal(t, 7, p.from)
				require.Equal(t, i < tokens, p.count == 1)
				counts = append(counts, p.count)
			}
			require.Equal(t, want, counts)
		}
	}
}

// TestWindowsAreServed: sequences by chance, in caches that are too small for all of them, are computed to their ends:
// each pass has room for its pieces, every page is given back, and a sequence that fits alone is never refused.
func TestWindowsAreServed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for round := range 15 {
		spans := [][]span{{{}}, {{window: 40}}, {{}, {window: 70}}, {{window: 33, chunked: true}, {}}, {{window: 200}}}[round%5]
		b := newBatch(128+r.IntN(600), 1+r.IntN(4), spans...)
		for range 12 {
			s := &sequence{tokens: make([]int, 1+r.IntN(300))}
			for i := range s.tokens {
				s.tokens[i] = i % (1 + r.IntN(2)) // many begin alike
			}
			if s.limit = len(s.tokens) + 1 + r.IntN(300); b.holds(s) {
				b.waiting = append(b.waiting, s)
			}
		}
		for passes := 0; len(b.waiting)+len(b.running) > 0; passes++ {
			require.Less(t, passes, 50_000, "round %d: %d wait, %d run", round, len(b.waiting), len(b.running))
			require.Empty(t, b.admit(), "round %d", round)
			list, tokens := b.next()
			list, _ = b.seated(list, tokens)
			for _, p := range list {
				for _, table := range p.s.tables {
					for at := p.from; at < p.from+p.count; at++ {
						require.GreaterOrEqual(t, table.place(at), int64(pageTokens))
					}
				}
				p.s.advance(b.pools, p.count)
				if p.s.cached == len(p.s.tokens) {
					if p.s.tokens = append(p.s.tokens, r.IntN(5)); len(p.s.tokens) >= p.s.limit {
						b.end(p.s)
					}
				}
			}
		}
		for _, p := range b.pools {
			require.Equal(t, len(p.users)-1, p.free)
		}
	}
}
