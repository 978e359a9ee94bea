package schedule

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/cache"
)

// TestPassNumbers: a long piece alone is a sequence of tokens; up to 16 tokens are rows, as all pieces of several
// sequences are. Both are filled up to a power of two, or three quarters of one, and rows of tokens to the most
// sequences.
func TestPassNumbers(t *testing.T) {
	b := New(1024, 10, cache.Span{})
	s := &cache.Sequence{Tokens: make([]int, 20), Limit: 300}
	require.True(t, s.Room(b.Pools, 20))
	for n, want := range map[int]Pass{1: {1, 1, 512}, 3: {3, 1, 512}, 5: {6, 1, 512}, 8: {8, 1, 512}, 9: {10, 1, 512}, 11: {12, 1, 512}, 16: {16, 1, 512},
		17: {1, 24, 512}, 24: {1, 24, 512}, 25: {1, 32, 512}, 340: {1, 384, 512}, 385: {1, 512, 512}, 512: {1, 512, 512}} {
		require.Equal(t, want, b.PassOf([]Piece{{s, 0, n}}), n)
		require.Equal(t, map[bool]int{true: 1}[n > 16]+map[bool]int{true: want.Sequences}[1 < n && n <= 16], Picks([]Piece{{s, 0, n}}, want, 20), n)
	}
	list := []Piece{{s, 19, 1}, {s, 19, 1}, {s, 0, 20}}
	p := b.PassOf(list)
	require.Equal(t, Pass{24, 1, 256}, p)
	require.Equal(t, 10, Picks(list, p, 10), "no more than there are sequences")
}

// TestShortPrompts: rests of prompts whose tokens see 16,384 places together at most share the pass of the tokens, as
// far as 512 rows go; others take turns with them.
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
		b := New(1024, 10, cache.Span{})
		for _, n := range c.rests {
			b.Running = append(b.Running, &cache.Sequence{Tokens: make([]int, n+7), Cached: 7})
		}
		for _, want := range [][]int{c.first, c.second} {
			var counts []int
			list, tokens := b.Next()
			for i, p := range list {
				require.Equal(t, 7, p.From)
				require.Equal(t, i < tokens, p.Count == 1)
				counts = append(counts, p.Count)
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
		spans := [][]cache.Span{{{}}, {{Window: 40}}, {{}, {Window: 70}}, {{Window: 33, Chunked: true}, {}}, {{Window: 200}}}[round%5]
		b := New(128+r.IntN(600), 1+r.IntN(4), spans...)
		for range 12 {
			s := &cache.Sequence{Tokens: make([]int, 1+r.IntN(300))}
			for i := range s.Tokens {
				s.Tokens[i] = i % (1 + r.IntN(2)) // many begin alike
			}
			if s.Limit = len(s.Tokens) + 1 + r.IntN(300); b.Holds(s) {
				b.Waiting = append(b.Waiting, s)
			}
		}
		for passes := 0; len(b.Waiting)+len(b.Running) > 0; passes++ {
			require.Less(t, passes, 50_000, "round %d: %d wait, %d run", round, len(b.Waiting), len(b.Running))
			require.Empty(t, b.Admit(), "round %d", round)
			list, tokens := b.Next()
			list, _ = b.Seated(list, tokens)
			for _, p := range list {
				for _, table := range p.Sequence.Tables {
					for at := p.From; at < p.From+p.Count; at++ {
						require.GreaterOrEqual(t, table.Place(at), int64(cache.PageTokens))
					}
				}
				p.Sequence.Advance(b.Pools, p.Count)
				if p.Sequence.Cached == len(p.Sequence.Tokens) {
					if p.Sequence.Tokens = append(p.Sequence.Tokens, r.IntN(5)); len(p.Sequence.Tokens) >= p.Sequence.Limit {
						b.End(p.Sequence)
					}
				}
			}
		}
		for _, p := range b.Pools {
			require.Equal(t, p.Size()-1, p.Free)
		}
	}
}
