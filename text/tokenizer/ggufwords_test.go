package tokenizer

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
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
	all.split(piece{traced{text: text}, -1, 0}, func(p piece) { list = append(list, p.text) })
	return list
}

// TestKindsOfWords: all kinds can be read. Words are llama-server 0.7.0's, for tokens that go over no end of a word.
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
		{"youtu", "ab漢字ㄅcdEf", []string{"ab", "漢字", "ㄅ", "cdEf"}},
		{"ufakzeka", "it'sa 12", []string{"it", "'sa", " ", "1", "2"}},
		{"qwen2", "it'sa 12", []string{"it", "'s", "a", " ", "1", "2"}},
		{"spark2_5", "a!\n\n1234", []string{"a", "!", "\n", "\n", "1", "2", "3", "4"}},
		{"chameleon", "x IMGIMGAZ\t12", []string{"x", " ", "IMGIMGAZ", "\t", "1", "2"}},
		{"afmoe", "ab1234567ไทย", []string{"ab", "1", "234", "567", "ไ", "ทย"}},
		{"glm5", "it's 1234", []string{"it", "'s", " ", "123", "4"}},
	} {
		require.Equal(t, c.want, parts(t, c.kind, c.text), c.kind)
	}
}

// TestWordsOfLlama: where llama.cpp has other words than the tokenizer.json of the models, words are llama.cpp 0.7.0's,
// by a vocabulary that merges any two bytes here.
func TestWordsOfLlama(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		want       []string
	}{
		{"gpt-4o", "éaÉtatकि", []string{"éaÉtatक", "ि"}},
		{"gpt-4o", "aTé'S 'ſ", []string{"a", "Té'S", " '", "ſ"}},
		{"tekken", "éaÉtat", []string{"éaÉtat"}},
		{"granite-embed-multi-97m", "éaÉTÉ", []string{"éaÉ", "TÉ"}},
		{"kimi-k2", "éaÉta漢", []string{"éaÉta", "漢"}},
		{"tiny_aya", "1٣8٨²4", []string{"1٣8", "٨²4"}},
		{"superbpe", "75٣9", []string{"75٣9"}},
		{"superbpe", "75319", []string{"75", "319"}},
		{"deepseek-coder", "\u2028/", []string{"\u2028/"}},
		{"deepseek-llm", " \u3000", []string{" \u3000"}},
		{"afmoe", "a  1½", []string{"a", " ", " ", "1½"}},
	} {
		require.Equal(t, c.want, parts(t, c.kind, c.text), c.kind)
	}
}

// TestKindsOfCharacters: files whose tokens are characters give the tokens of llama-server 0.7.0. Spaces have no tokens
// with the kind "whitespace".
func TestKindsOfCharacters(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small)
	for _, c := range []struct{ kinds, text, want, back string }{
		{"gemma4 sarvam-moe granite-embed-multi-311m", "a b", "a ▁ b", "a b"},
		{"gemma4 sarvam-moe granite-embed-multi-311m", " a\nb", "▁ a <0x0A> b", " a\nb"},
		{"gemma4 sarvam-moe granite-embed-multi-311m", "é", "<0xC3> <0xA9>", "é"},
		{"mmbert", "a b", "▁ a ▁ b", "a b"},
		{"mmbert", " a\nb", "▁ a <0x0A> ▁ b", "a\n b"},
		{"mmbert", " a  b c", "▁ a ▁ ▁ b ▁ c", "a  b c"},
		{"mmbert", "é", "▁ <0xC3> <0xA9>", "é"},
		{"whitespace", "ab c\td", "a b c d", "abcd"},
	} {
		for kind := range strings.FieldsSeq(c.kinds) {
			for _, model := range []string{"gpt2", kind} {
				if model != "gpt2" && model != "gemma4" && model != "whitespace" {
					continue
				}
				f.Metadata["tokenizer.ggml.model"], f.Metadata["tokenizer.ggml.pre"] = model, kind
				f.Metadata["tokenizer.ggml.add_bos_token"] = false
				k, err := FromGGUF(f)
				require.NoError(t, err)
				ids, err := k.Encode(c.text, EncodeOptions{})
				require.NoError(t, err)
				var texts []string
				for _, id := range ids {
					texts = append(texts, k.Token(id))
				}
				require.Equal(t, c.want, strings.Join(texts, " "), "%s: %q", kind, c.text)
				require.Equal(t, c.back, k.decoded(ids, false), "%s: %q", kind, c.text)
			}
		}
	}
}

// TestNumbersOfTokens: a number of a token that the file does not have is an error, but for the numbers that say there
// is none.
func TestNumbersOfTokens(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small)
	size := len(f.Texts("tokenizer.ggml.tokens"))
	for _, name := range []string{"bos", "eos", "unknown", "cls", "seperator", "eot", "eom"} {
		key := "tokenizer.ggml." + name + "_token_id"
		before, given := f.Metadata[key]
		for _, v := range []any{uint64(size), uint64(1 << 40), int64(-2), 1.5} {
			f.Metadata[key] = v
			_, err := FromGGUF(f)
			require.ErrorContains(t, err, fmt.Sprintf("%s is %v, and the file has %d tokens", key, v, size))
		}
		for _, v := range []any{uint64(size - 1), int64(-1), uint64(math.MaxUint32)} {
			f.Metadata[key] = v
			_, err := FromGGUF(f)
			require.NoError(t, err)
		}
		if delete(f.Metadata, key); given {
			f.Metadata[key] = before
		}
	}
}
