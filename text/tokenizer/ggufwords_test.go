package tokenizer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// parts are the words that a kind of GGUF's divides a text into.
func parts(t *testing.T, kind, text string) (list []string) {
	require.Contains(t, preTokenizers, kind)
	var all splitters
	for _, text := range preTokenizers[kind].patterns {
		p, err := compilePattern(text)
		require.NoError(t, err, kind)
		all = append(all, &patternSplit{pattern: p, how: isolated})
	}
	all.split(piece{text, -1, 0}, func(p piece) { list = append(list, p.text) })
	return list
}

// TestKindsOfWords: all kinds can be read. Words are those of llama-server 0.7.0, for tokens that go over no end of a word.
func TestKindsOfWords(t *testing.T) {
	for kind := range preTokenizers {
		parts(t, kind, "")
	}
	for _, c := range []struct {
		kind, text string
		want       []string
	}{
		{"default", " `a", []string{" `", "a"}}, // falcon parts the grave accent
		{"falcon", " `a", []string{" ", "`", "a"}},
		{"deepseek-llm", "\u1f7d\u212a,", []string{"\u1f7d\u212a", ","}}, // letters that another form of Unicode writes with others
		{"kimi-k2", "ab漢字cd 1234", []string{"ab", "漢字", "cd", " ", "123", "4"}},
		{"minicpm5", "ab  271", []string{"ab", "  ", "271"}}, // digits are parted first
		{"jais-2", "a       b", []string{"a", "    ", "  ", " b"}},
		{"exaone-moe", "ab cd 12/\n", []string{"ab cd", " ", "1", "2", "/\n"}},
		{"youtu", "ab漢字ㄅcdEf", []string{"ab", "漢字", "ㄅ", "cd", "Ef"}},
		{"ufakzeka", "it's 12", []string{"it", "'s", " ", "1", "2"}},
		{"glm5", "it's 1234", []string{"it", "'s", " ", "123", "4"}},
	} {
		require.Equal(t, c.want, parts(t, c.kind, c.text), c.kind)
	}
}
