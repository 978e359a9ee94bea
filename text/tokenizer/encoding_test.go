package tokenizer_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/text/tokenizer"
)

// TestOffsets: tokens come from where tokenizers 0.23 says; testdata/offsets.py records. Behind
// characters that BPE leaves out they come from where the text has them.
func TestOffsets(t *testing.T) {
	f, err := os.Open("testdata/offsets.json.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var want map[string]struct{ One, Two []*[3][]int }
	require.NoError(t, json.NewDecoder(z).Decode(&want))
	r := recordings(t)
	compared := 0
	own := false // tokenizers forgets what was put around where one processor follows another one
	compare := func(t *testing.T, want *[3][]int, e tokenizer.Encoding, ids []int, texts ...string) {
		require.Equal(t, ids, e.IDs, "%q", texts)
		if want == nil {
			return
		}
		compared++
		got := [3][]int{{}, {}, {}}
		for i, x := range e.Offsets {
			special, text := 0, ""
			if e.Special[i] {
				special = 1
			} else {
				text = texts[e.Texts[i]]
			}
			if own {
				want[0][i] = special
			}
			if own || e.Special[i] { // which text is filled up
				want[2][i] = e.Texts[i]
			}
			got[0] = append(got[0], special)
			got[1] = append(got[1], utf8.RuneCountInString(text[:x.Start]), utf8.RuneCountInString(text[:x.End]))
			got[2] = append(got[2], e.Texts[i])
		}
		require.Equal(t, *want, got, "%q", texts)
	}
	for name, c := range r.Cases {
		t.Run(name, func(t *testing.T) {
			k, err := tokenizer.Parse(c.Tokenizer)
			require.NoError(t, err)
			own = name == "added" || name == "cut_left" || name == "cut_right"
			for i, w := range want[name].One {
				line := r.Lines[3*i]
				compare(t, w, must(k.EncodeOffsets(line, tokenizer.EncodeOptions{Special: true})), c.Special[3*i], line)
			}
			for i, w := range want[name].Two {
				first, second := r.Lines[4*i], r.Lines[4*i+1]
				compare(t, w, must(k.EncodePairOffsets(first, second, tokenizer.EncodeOptions{Special: true})), c.Pair[4*i], first, second)
			}
		})
	}
	require.Greater(t, compared, 900)
}

// TestOffsetsWithoutSpaces: a post-processor leaves spaces out of what tokens come from, but for a space that was put
// in front of a text. The offsets are those of tokenizers 0.23.
func TestOffsetsWithoutSpaces(t *testing.T) {
	for prefix, cases := range map[bool]map[string][]tokenizer.Extent{
		true:  {"a b": {{0, 1}, {2, 3}}, " a": {{0, 2}}, "  a b ": {{0, 0}, {2, 3}, {4, 5}, {6, 6}}, "b  a": {{0, 1}, {2, 2}, {3, 4}}},
		false: {"a b": {{0, 1}, {2, 3}}, " a": {{1, 2}}, "  a b ": {{1, 1}, {2, 3}, {4, 5}, {6, 6}}, "b  a": {{0, 1}, {2, 2}, {3, 4}}},
	} {
		bytes := fmt.Sprintf(`{"type":"ByteLevel","add_prefix_space":%t,"trim_offsets":true,"use_regex":true}`, prefix)
		k, err := tokenizer.Parse([]byte(`{"pre_tokenizer":` + bytes + `,"post_processor":` + bytes + `,"model":{"type":"BPE",
			"vocab":{"Ġ":0,"a":1,"b":2,"Ġa":3,"Ġb":4},"merges":["Ġ a","Ġ b"]}}`))
		require.NoError(t, err)
		for text, want := range cases {
			require.Equal(t, want, must(k.EncodeOffsets(text, tokenizer.EncodeOptions{})).Offsets, "%t: %q", prefix, text)
		}
	}
}

// TestOffsetsOfBytes: offsets are bytes of the text as it was given, also where bytes are no character.
func TestOffsetsOfBytes(t *testing.T) {
	k, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"?":0,"e":1},"unk_token":"?"},"normalizer":{"type":"NFC"},
		"pre_tokenizer":{"type":"FixedLength","length":1}}`))
	require.NoError(t, err)
	for text, want := range map[string][]tokenizer.Extent{
		"":                   {},
		"\xe2\x84e\xff":      {{0, 2}, {2, 3}, {3, 4}},
		"e\u0301\u4e2d\xffe": {{0, 1}, {3, 6}, {6, 7}, {7, 8}}, // the composed character is said to come from the first of the two
	} {
		require.Equal(t, want, must(k.EncodeOffsets(text, tokenizer.EncodeOptions{})).Offsets, "%q", text)
	}
	k, err = tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"?":0,"i":1,"x":2},"unk_token":"?"},"normalizer":{"type":"Lowercase"},
		"pre_tokenizer":{"type":"FixedLength","length":1}}`))
	require.NoError(t, err)
	e := must(k.EncodeOffsets("\u0130X", tokenizer.EncodeOptions{})) // one letter becomes i and a dot above, as in tokenizers
	require.Equal(t, []int{1, 0, 2}, e.IDs)
	require.Equal(t, []tokenizer.Extent{{0, 2}, {0, 2}, {2, 3}}, e.Offsets)
	k, err = tokenizer.FromGGUF(llmtest.Open(t, llmtest.Small))
	require.NoError(t, err)
	e = must(k.EncodeOffsets("a \xe4é", tokenizer.EncodeOptions{Special: true}))
	require.Equal(t, []bool{true}, e.Special[:1])
	for i, part := range e.Offsets[1:] {
		require.LessOrEqual(t, part.Start, part.End)
		require.LessOrEqual(t, part.End, len("a \xe4é"), e.Tokens[i+1])
	}
	require.Equal(t, must(k.Encode("a \xe4é", tokenizer.EncodeOptions{Special: true})), e.IDs)
}
