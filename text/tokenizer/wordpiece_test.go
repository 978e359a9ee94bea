package tokenizer

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// longestFirst divides a word by trying all its beginnings, the longest first.
func longestFirst(ids map[string]int32, word, begin, inside string) (out []int32) {
	mark, first := begin, true
	for word != "" {
		text := mark + word
		least := len(mark)
		if !first || begin == "" {
			least++
		}
		end := len(text)
		for ; end >= least; end-- {
			if _, ok := ids[text[:end]]; ok && (end == len(text) || utf8.RuneStart(text[end])) {
				break
			}
		}
		if end < least {
			return []int32{-7}
		}
		out, word, mark, first = append(out, ids[text[:end]]), text[end:], inside, false
	}
	return out
}

// TestLongestPieces compares pieces of random words with the pieces of a search through all beginnings. Vocabularies
// have tokens that end within characters, and marks that are tokens; some begin in more ways than a list is good for,
// so that children are found by a table.
func TestLongestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	letters := []string{"a", "b", "c", "é", "漢", "字", "#", "🎉"}
	word := func(most int) string {
		var b strings.Builder
		for range 1 + r.IntN(most) {
			b.WriteString(letters[r.IntN(len(letters))])
		}
		return b.String()
	}
	failed := 0
	for round := range 200 {
		begin, inside := "", "##"
		if round%2 == 0 {
			begin, inside = "▁", ""
		}
		texts := []string{"é"[:1]}
		for range 10 + r.IntN(60) {
			texts = append(texts, []string{begin, inside}[r.IntN(2)]+word(3))
		}
		if round%3 == 0 {
			texts = append(texts, "▁", "##")
		}
		for i := range 12 * (round % 5 / 4) {
			texts = append(texts, inside+string(rune('A'+i)), begin+string(rune('M'+i)))
		}
		v := newVocabulary(texts)
		w := newWordPiece(v, -7, begin, inside, 100)
		for range 50 {
			word := word(6)
			want, got := longestFirst(v.ids, word, begin, inside), w.tokens([]int32{5}, word, nil)
			if want[0] == -7 {
				want, failed = nil, failed+1 // there is no token for words that are unknown
			}
			require.Equal(t, append([]int32{5}, want...), got, "%q of %q", word, texts)
		}
	}
	require.NotZero(t, failed)
	require.Less(t, failed, 8000)
	require.Equal(t, []int32{3}, newWordPiece(newVocabulary([]string{"a"}), 3, "", "##", 2).tokens(nil, "aaa", nil), "too long a word")
}

// TestCharactersNormalised: what BERT's normalisation writes for a text, character by character, agrees with its steps
// on the whole text, whose marks may change places.
func TestCharactersNormalised(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for n := range 16 {
		at := &bertNormalizer{clean: n&1 != 0, chinese: n&2 != 0, accents: n&4 != 0, lower: n&8 != 0}
		for range 400 {
			var b strings.Builder
			for range 1 + r.IntN(12) {
				from := [][2]rune{{0, 0x80}, {0x80, 0x250}, {0x300, 0x370}, {0x590, 0x600}, {0x900, 0x980}, {0x4e00, 0x4e20}, {0xac00, 0xac40}, {0x1d160, 0x1d180}, {0, 0xd800}}[r.IntN(9)]
				b.WriteRune(from[0] + r.Int32N(from[1]-from[0]))
			}
			require.Equal(t, at.ofWhole(b.String()), at.normalize(b.String()), fmt.Sprintf("%d: %+q", n, b.String()))
		}
	}
}
