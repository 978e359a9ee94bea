package tokenizer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSeams: words are cut at marks, unless a token goes across them.
func TestSeams(t *testing.T) {
	for _, c := range []struct{ tokens, merges, want string }{
		{"▁ a b ab ▁ab", "a+b ▁+ab", "▁ab ▁ ▁ab"},
		{"▁ a b b▁ ▁a", "▁+a b+▁", "▁a b▁ ▁a b"},
	} {
		v := newVocabulary(strings.Fields(c.tokens))
		model, scores := newBPE(v), make([]float32, len(v.texts))
		for i, merge := range strings.Fields(c.merges) {
			left, right, _ := strings.Cut(merge, "+")
			require.True(t, model.addMerge(left, right))
			scores[v.ids[left+right]] = float32(-i)
		}
		const turns = 20 // more than is remembered as one word
		for _, tokens := range []func(out []int32, word string, places *extents) []int32{model.tokens, newScored(v, scores, -1).tokens} {
			var got []string
			for _, id := range tokens(nil, strings.Repeat("▁ab▁▁ab", turns), nil) {
				got = append(got, v.texts[id])
			}
			require.Equal(t, strings.Fields(strings.Repeat(c.want+" ", turns)), got)
		}
	}
	// Characters without a token are left out where there is no unknown token, and merges go across their places.
	v := newVocabulary(strings.Fields("▁ ▁▁ a ?"))
	model := newBPE(v)
	require.True(t, model.addMerge("▁", "▁"))
	word := strings.Repeat("a", mostCachedWord) + "▁x▁"
	require.Equal(t, []int32{1}, model.tokens(nil, word, nil)[mostCachedWord:], "as tokenizers 0.23")
	model.unknown = 3
	require.Equal(t, []int32{0, 3, 0}, model.tokens(nil, word, nil)[mostCachedWord:])
	var parts []string
	atSeams("a▁▁b▁c▁", func(p string) { parts = append(parts, p) })
	require.Equal(t, []string{"a", "▁▁b", "▁c", "▁"}, parts)
}
