package tokenizer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/cputime"
)

// TestExponential: expressions whose matches take exponential or cubic time end soon for a text that is long, and
// those that take time in proportion to a long text match all of it.
func TestExponential(t *testing.T) {
	text := strings.Repeat("a", 20000) + "!"
	for _, e := range []string{`(a+)+$`, `(a|aa)+$`, `(a|a)*b`, `(?=(a+)+$)a`, `.*.*.*.*x`, `(?!(a|aa)+$)[^b]`, `(a?){30}a{30}b`} {
		p, err := compilePattern(e)
		require.NoError(t, err)
		start := cputime.Used()
		_, err = (&replace{pattern: p}).replaced(text)
		require.ErrorIs(t, err, ErrSteps, e)
		require.Less(t, (cputime.Used() - start).Seconds(), 2.0, e)
	}
	for e, want := range map[string]int{`a`: 20000, `a{7}`: 2857, `\w+|\W`: 2, `\s*a(?=a)`: 19999, `(?:a|b)(?!b)`: 20000} {
		p, err := compilePattern(e)
		require.NoError(t, err)
		count := 0
		p.all(text, func(_, _ int) { count++ })
		require.Equal(t, want, count, e)
	}
}

// TestErrSteps: an expression that uses up its steps is an error of the text, or of the file if it does so for one of
// its tokens. The tokens of the other text are those of tokenizers 0.23.1.
func TestErrSteps(t *testing.T) {
	long := strings.Repeat("a", 40) + "!"
	replaced := `{"type":"Replace","pattern":{"Regex":"(a+)+$"},"content":"b"}`
	parsed := func(part, token string) (*Tokenizer, error) {
		return Parse([]byte(fmt.Sprintf(`{"model":{"type":"WordLevel","vocab":{"a":0,"b":1,%q:2},"unk_token":"a"},
			"added_tokens":[{"id":3,"content":%q,"normalized":true}],%s}`, token, token+"?", part)))
	}
	for _, part := range []string{`"normalizer":` + replaced,
		`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(a+)+$"},"behavior":"Isolated","invert":false}`} {
		k, err := parsed(part, "c")
		require.NoError(t, err)
		o := EncodeOptions{}
		ids, err := k.Encode(long, o)
		require.Nil(t, ids)
		require.ErrorIs(t, err, ErrSteps)
		require.ErrorContains(t, err, `"(a+)+$" in 41 bytes that begin with "`+long[:40])
		_, err = k.EncodePair("a", long, o)
		require.ErrorIs(t, err, ErrSteps)
		_, err = k.EncodeOffsets(long, o)
		require.ErrorIs(t, err, ErrSteps)
		_, err = k.EncodePairOffsets("a", long, o)
		require.ErrorIs(t, err, ErrSteps)
		ids, err = k.Encode("b", o)
		require.NoError(t, err)
		require.Equal(t, []int{1}, ids)
	}
	_, err := parsed(`"normalizer":`+replaced, long)
	require.ErrorIs(t, err, ErrSteps)
	require.ErrorContains(t, err, "added_tokens: ")
	_, err = parsed(`"decoder":`+replaced, long)
	require.ErrorContains(t, err, "decoder: token 2: ")
	_, err = parsed(`"decoder":`+replaced, "c")
	require.NoError(t, err)
}

// TestErrStepsOfDecoders: an expression that reads what other decoders have joined, and uses up its steps, is an error
// of the text, and of a stream. The text of fewer tokens is that of tokenizers 0.23.1.
func TestErrStepsOfDecoders(t *testing.T) {
	k, err := Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"a":0,"!":1},"unk_token":"a"},"added_tokens":[],"decoder":{"type":"Sequence","decoders":[
		{"type":"Fuse"},{"type":"Replace","pattern":{"Regex":"(a+)+$"},"content":"b"}]}}`))
	require.NoError(t, err)
	text, err := k.Decode([]int{1, 0, 0}, false)
	require.NoError(t, err)
	require.Equal(t, "!b", text)
	long := append(make([]int, 40), 1)
	text, err = k.Decode(long, false)
	require.Empty(t, text)
	require.ErrorIs(t, err, ErrSteps)
	require.ErrorIs(t, k.StreamBehind(long).Err(), ErrSteps)
	s := k.Stream()
	for _, id := range long {
		require.Empty(t, s.Next(id))
		require.NoError(t, s.Err())
	}
	require.Empty(t, s.Flush())
	require.ErrorIs(t, s.Err(), ErrSteps)
	require.Empty(t, s.Next(0)+s.Flush())
}

// TestLongPattern: the error of an expression has its beginning, and where it is wrong.
func TestLongPattern(t *testing.T) {
	_, err := compilePattern(strings.Repeat("a|", 50000) + "*")
	require.ErrorContains(t, err, "byte 100000: ")
	require.Less(t, len(err.Error()), 400)
}

// TestGrowth: steps that make a text or a row of tokens grow beyond bounds are refused when the file is read, and the
// growth of real files is not.
func TestGrowth(t *testing.T) {
	replaced := func(pattern, with string, times int) string {
		one := fmt.Sprintf(`{"type":"Replace","pattern":%s,"content":%q}`, pattern, with)
		return strings.TrimSuffix(strings.Repeat(one+",", times), ",")
	}
	sequence := func(key, list string) string { return fmt.Sprintf(`{"type":"Sequence",%q:[%s]}`, key, list) }
	template := func(tokens, texts int) string {
		single := strings.Repeat(`{"SpecialToken":{"id":"x"}},`, tokens) + strings.TrimSuffix(strings.Repeat(`{"Sequence":{"id":"A"}},`, texts), ",")
		return `{"type":"TemplateProcessing","single":[` + single + `],"pair":[],"special_tokens":{"x":{"ids":[1]}}}`
	}
	grows := "make more than 4096 bytes of one"
	for _, c := range []struct{ key, value, fault string }{
		{"normalizer", sequence("normalizers", replaced(`{"String":"a"}`, "aa", 40)), "normalizer: steps up to number 12 " + grows},
		{"normalizer", sequence("normalizers", replaced(`{"String":"a"}`, "aa", 12)), ""},
		{"normalizer", sequence("normalizers", replaced(`{"String":"abc"}`, "abc", 40)), ""},
		{"normalizer", sequence("normalizers", replaced(`{"String":""}`, "aaaaaaaaa", 4)), "normalizer: steps up to number 3 " + grows},
		{"normalizer", replaced(`{"Regex":"a"}`, strings.Repeat("b", 4096), 1), "normalizer: steps up to number 0 " + grows},
		{"normalizer", `{"type":"Prepend","prepend":"` + strings.Repeat("b", 4096) + `"}`, "normalizer: steps up to number 0 " + grows},
		{"normalizer", `{"type":"Prepend","prepend":"▁"}`, ""},
		{"decoder", sequence("decoders", replaced(`{"Regex":""}`, "aaaaaaaaa", 4)), "decoder: steps up to number 3 " + grows},
		{"decoder", replaced(`{"String":"▁"}`, " ", 1), ""},
		{"post_processor", template(5000, 1), "post_processor: more than 4096 tokens are added"},
		{"post_processor", template(1, 17), "post_processor: a template writes texts 17 times; there may be 16"},
		{"post_processor", template(2, 2), ""},
		{"padding", `{"strategy":{"Fixed":1099511627776}}`, "texts are filled up to 1099511627776 tokens; there may be 1048576"},
		{"padding", `{"strategy":"BatchLongest","pad_to_multiple_of":1099511627776}`, "pad_to_multiple_of is 1099511627776; there may be 1048576"},
		{"padding", `{"strategy":{"Fixed":512},"pad_to_multiple_of":8}`, ""},
	} {
		_, err := Parse([]byte(fmt.Sprintf(`{"model":{"type":"WordLevel","vocab":{"a":0,"x":1},"unk_token":"a"},%q:%s}`, c.key, c.value)))
		if c.fault == "" {
			require.NoError(t, err, c.value)
		} else {
			require.ErrorContains(t, err, c.fault)
		}
	}
	require.Equal(t, 33, (&precompiled{texts: "a\x00" + strings.Repeat("b", 33) + "\x00"}).grows())
}
