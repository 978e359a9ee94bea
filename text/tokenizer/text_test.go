package tokenizer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/text/tokenizer"
)

// TestText: a token's bytes are as the decoder writes them, alone or in a sequence of sequences.
func TestText(t *testing.T) {
	for decoder, want := range map[string][]string{
		`{"type":"ByteLevel"}`: {" a", "\xC3", "▁a", "<0xC3>"},
		`{"type":"Sequence","decoders":[{"type":"Fuse"},{"type":"Sequence","decoders":[{"type":"ByteLevel"}]}]}`: {" a", "\xC3", "▁a", "<0xC3>"},
		`{"type":"Sequence","decoders":[{"type":"ByteFallback"},{"type":"Fuse"}]}`:                               {"Ġa", "Ã", " a", "\xC3"},
		`{"type":"Metaspace"}`: {"Ġa", "Ã", " a", "\xC3"},
		`null`:                 {"Ġa", "Ã", "▁a", "<0xC3>"},
	} {
		k, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"Ġa":0,"Ã":1,"▁a":2,"<0xC3>":3},"unk_token":"Ã"},"decoder":` + decoder + `}`))
		require.NoError(t, err, decoder)
		for id, text := range want {
			require.Equal(t, text, k.Text(id), "token %d by %s", id, decoder)
		}
	}
}

// TestNesting: sequences may be in sequences, but not without end.
func TestNesting(t *testing.T) {
	for depth, refused := range map[int]bool{64: false, 65: true} {
		part := strings.Repeat(`{"type":"Sequence","normalizers":[`, depth) + `{"type":"Lowercase"}` + strings.Repeat(`]}`, depth)
		k, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"a":7,"b":0},"unk_token":"b"},"normalizer":` + part + `}`))
		if refused {
			require.ErrorContains(t, err, "normalizer: sequences are nested too deeply")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []int{7}, must(k.Encode("A", tokenizer.EncodeOptions{})), "all of the sequence is read")
	}
}

// TestReplaceNothing: a Replace of the empty text, or of what matches nothing, puts its text around each character of a
// text that is not empty; as tokenizers 0.23 does.
func TestReplaceNothing(t *testing.T) {
	for _, pattern := range []string{`{"String":""}`, `{"Regex":"x*"}`} {
		replace := `{"type":"Replace","pattern":` + pattern + `,"content":"-"}`
		k, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"añ":0,"b":1,"":2,"-a-ñ-b-":3,"?":4,"-":5},"unk_token":"?"},"normalizer":` +
			replace + `,"decoder":` + replace + `}`))
		require.NoError(t, err)
		for want, ids := range map[string][]int{"-a-ñ--b-": {0, 1}, "": {2}} {
			require.Equal(t, want, must(k.Decode(ids, false)), ids)
		}
		require.Equal(t, []int{3}, must(k.Encode("añb", tokenizer.EncodeOptions{})))
		require.Empty(t, must(k.Encode("", tokenizer.EncodeOptions{})))
	}
}

// TestHoles: numbers that no token has are left out of a text, and an empty token is not; as tokenizers 0.23 does.
func TestHoles(t *testing.T) {
	k, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"a":0,"":2,"b":4,"?":5},"unk_token":"?"}}`))
	require.NoError(t, err)
	for want, ids := range map[string][]int{"a b": {0, 1, 4}, "a  b": {0, 2, 4}, "a": {3, 0}} {
		require.Equal(t, want, must(k.Decode(ids, false)), ids)
	}
}

// TestNameOfUnknown: the name of the unknown token in a text is that token, unless what stands beside it is unknown
// too; as tokenizers 0.23 does.
func TestNameOfUnknown(t *testing.T) {
	vocab := `["<unk>",0],["a",-1]`
	for b := range 256 {
		vocab += fmt.Sprintf(`,["<0x%02X>",-9]`, b)
	}
	k, err := tokenizer.Parse([]byte(`{"model":{"type":"Unigram","vocab":[` + vocab + `],"unk_id":0,"byte_fallback":true}}`))
	require.NoError(t, err)
	for text, want := range map[string][]int{"a<unk>a": {1, 0, 1}, "<unk>": {0}, "ab": {1, 100}, "b<unk>": {100, 62, 119, 112, 109, 64}} {
		require.Equal(t, want, must(k.Encode(text, tokenizer.EncodeOptions{})), text)
	}
}

// TestCutPairs: of two texts the longer one keeps the odd token. A text is as long as the words that reach the length,
// with the added tokens in front of the last of them; as tokenizers 0.23 has it.
func TestCutPairs(t *testing.T) {
	for _, c := range []struct {
		direction, first string
		second           int
		want             string
	}{
		{"Right", "############", 11, "####bbb"}, {"Right", "############", 13, "###bbbb"}, {"Right", "aa#aa#aa####", 9, "aa#bbbb"},
		{"Right", "####aaaaaaa###aa", 10, "####bbb"}, {"Right", "####aaaaaaa###aa", 11, "###bbbb"}, {"Right", "aaa#####a", 8, "aaa#bbb"},
		{"Left", "############", 11, "####bbb"}, {"Left", "aa#aa#aa####", 9, "###bbbb"}, {"Left", "####aaaaaaa###aa", 11, "##aabbb"},
		{"Left", "####aaaaaaa###aa", 12, "#aabbbb"}, {"Right", "aaaaaaa aa", 8, "aaabbbb"}, {"Left", "aa aaaaaaa", 8, "aaabbbb"},
	} {
		k, err := tokenizer.Parse([]byte(`{"model":{"type":"BPE","vocab":{"a":0,"b":1},"merges":[]},"pre_tokenizer":{"type":"WhitespaceSplit"},
			"added_tokens":[{"id":2,"content":"#"}],"truncation":{"direction":"` + c.direction + `","max_length":7,"strategy":"LongestFirst","stride":0}}`))
		require.NoError(t, err)
		text := ""
		for _, id := range must(k.EncodePair(c.first, strings.Repeat("b", c.second), tokenizer.EncodeOptions{})) {
			text += k.Token(id)
		}
		require.Equal(t, c.want, text, "%s: %s and %d", c.direction, c.first, c.second)
	}
}

// TestDecoders: what decoders make of a text depends on the texts in front of it; as tokenizers 0.23 has it.
func TestDecoders(t *testing.T) {
	for _, c := range []struct {
		decoder string
		ids     []int
		want    string
	}{
		{`{"type":"Sequence","decoders":[{"type":"CTC","pad_token":"x","cleanup":false},{"type":"WordPiece","cleanup":false}]}`, []int{0, 1, 0, 2, 2}, "a b"},
		{`{"type":"Strip","content":"x","start":1,"stop":0}`, []int{3, 4}, "axb"},
		{`{"type":"ByteFallback"}`, []int{5, 5, 1, 5, 6}, "\uFFFD\uFFFDaé"},
	} {
		k, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"x":0,"a":1,"b":2,"xa":3,"xxb":4,"<0xC3>":5,"<0xA9>":6},"unk_token":"x"},
			"decoder":` + c.decoder + `}`))
		require.NoError(t, err)
		require.Equal(t, c.want, must(k.Decode(c.ids, false)), c.decoder)
	}
}

// TestAddedAlike: of added tokens that the normalizer makes one text the first is found, and never one that it makes
// empty.
func TestAddedAlike(t *testing.T) {
	k, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"a":0,"b":1},"unk_token":"a"},
		"normalizer":{"type":"Sequence","normalizers":[{"type":"Lowercase"},{"type":"Strip","strip_left":false,"strip_right":true}]},
		"added_tokens":[{"id":2,"content":"The","normalized":true},{"id":3,"content":"THE","normalized":true},{"id":4,"content":"\n","normalized":true}]}`))
	require.NoError(t, err)
	for text, want := range map[string][]int{"THE": {2}, "bthe": {1, 2}, "B\n": {1}} {
		require.Equal(t, want, must(k.Encode(text, tokenizer.EncodeOptions{})), "%q", text)
	}
}

// TestModelsWithoutType: files of old versions do not name the kind of their model; the fields tell it, as tokenizers
// 0.23 reads them.
func TestModelsWithoutType(t *testing.T) {
	for model, want := range map[string][]int{
		`{"vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]}`:                                                               {2},
		`{"vocab":[["a",-1.0],["b",-1.0],["ab",-1.5]]}`:                                                                 {2},
		`{"vocab":[["?",-9.0],["a",-1.0],["b",-1.0]],"unk_id":0}`:                                                       {1, 2},
		`{"vocab":{"?":0,"a":1,"##b":2},"unk_token":"?","continuing_subword_prefix":"##","max_input_chars_per_word":9}`: {1, 2},
		`{"vocab":{"?":0,"ab":1},"unk_token":"?"}`:                                                                      {1},
	} {
		k, err := tokenizer.Parse([]byte(`{"model":` + model + `}`))
		require.NoError(t, err, model)
		require.Equal(t, want, must(k.Encode("ab", tokenizer.EncodeOptions{})), model)
	}
}
