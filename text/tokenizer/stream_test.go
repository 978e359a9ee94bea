package tokenizer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/race"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/text/tokenizer"
)

// TestStreamOfBrokenText: bytes that make no character, and tokens without text, hold nothing up: what they cost does
// not grow with their number.
func TestStreamOfBrokenText(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small)
	k, err := tokenizer.FromGGUF(f)
	require.NoError(t, err)
	id := func(text string) int {
		i, ok := k.ID(text)
		require.True(t, ok)
		return i
	}
	for _, token := range []string{"<0x9F>", "<s>"} {
		s, text, most := k.Stream(), "", 0
		for range 3000 {
			piece := s.Next(id(token))
			text += piece
			most = max(most, len(piece))
		}
		if token == "<0x9F>" {
			require.Equal(t, strings.Repeat("\uFFFD", 3000), text+s.Flush())
			require.LessOrEqual(t, most, 3*9)
		} else {
			require.Empty(t, text+s.Flush())
		}
		if !race.Enabled {
			require.LessOrEqual(t, testing.AllocsPerRun(100, func() { s.Next(id(token)) }), 40.0)
		}
		// A character behind it comes as one.
		for range 9 {
			s.Next(id("a"))
		}
		require.Empty(t, s.Next(id("<0xC3>")))
		require.Equal(t, "é", s.Next(id("<0xA9>")))
	}
}

// TestNormalizersOfGGUF: a file says which forms of characters are the same to it; BERT's leave out accents where case
// is ignored, unless told otherwise.
func TestNormalizersOfGGUF(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small)
	for _, c := range []struct {
		kind, key   string
		value       bool
		text, other string
		same        bool
	}{
		{"llama", "", false, "E\u0301", "É", false},
		{"llama", "nfc", true, "E\u0301", "É", true},
		{"llama", "lowercase", true, "ABC", "abc", true},
		{"llama", "strip_accents", true, "e\u0301", "e", true},
		{"bert", "", false, "THÉ", "the", true},
		{"bert", "", false, "a\u094b", "a", true}, // as in llama.cpp; BERT keeps marks that take room
		{"bert", "", false, "a\u0085b", "a b", true},
		{"bert", "lowercase", false, "THE", "the", false},
		{"bert", "lowercase", false, "thé", "the", false},
		{"bert", "strip_accents", false, "thé", "the", false},
		{"bert", "strip_accents", false, "THE", "the", true},
	} {
		for key := range f.Metadata {
			if strings.HasPrefix(key, "tokenizer.ggml.normalizer.") {
				delete(f.Metadata, key)
			}
		}
		f.Metadata["tokenizer.ggml.model"] = c.kind
		if c.key != "" {
			f.Metadata["tokenizer.ggml.normalizer."+c.key] = c.value
		}
		k, err := tokenizer.FromGGUF(f)
		require.NoError(t, err)
		text, other := must(k.Encode(c.text, tokenizer.EncodeOptions{})), must(k.Encode(c.other, tokenizer.EncodeOptions{}))
		require.Equal(t, c.same, slices.Equal(text, other), "%s, %s %v: %q is %v and %q is %v", c.kind, c.key, c.value, c.text, text, c.other, other)
	}
}

// TestStreamsOfDecoders: a stream gives the text that tokens have together, whatever decoders there are; where none
// reads what others have joined, it gives text before the end.
func TestStreamsOfDecoders(t *testing.T) {
	part := map[string]string{"fuse": `{"type":"Fuse"}`, "bytes": `{"type":"ByteLevel"}`, "words": `{"type":"WordPiece","prefix":"##","cleanup":true}`,
		"plain": `{"type":"WordPiece","prefix":"##","cleanup":false}`, "mark": `{"type":"Replace","pattern":{"String":"x"},"content":" "}`,
		"two": `{"type":"Replace","pattern":{"String":"!,"},"content":"-"}`, "end": `{"type":"Strip","content":"!","start":0,"stop":1}`,
		"front": `{"type":"Strip","content":"!","start":1,"stop":0}`, "suffix": `{"type":"BPEDecoder","suffix":"!,"}`, "fallback": `{"type":"ByteFallback"}`,
		"word": `{"type":"BPEDecoder","suffix":"x"}`, "ctc": `{"type":"CTC","pad_token":",","word_delimiter_token":"!","cleanup":true}`,
		"behind": `{"type":"Strip","content":"x","start":0,"stop":2}`}
	for _, c := range []struct {
		decoders string
		late     bool
	}{{"bytes", false}, {"fallback", false}, {"word", false}, {"ctc", false}, {"words ctc", false}, {"behind word ctc", false}, {"fuse mark", false}, {"fuse front", false}, {"words", false}, {"fuse plain", false}, {"mark fallback fuse front", false},
		{"fuse bytes", true}, {"bytes words", true}, {"fuse two", true}, {"fuse end", true}, {"bytes mark suffix", true}, {"fuse fallback", true}} {
		var list []string
		for _, name := range strings.Fields(c.decoders) {
			list = append(list, part[name])
		}
		k, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"!":0,",":1,"Ã":2,"©":3,"俀":4,"x":5,"<0x41>":6,"<0xC3>":7},"unk_token":"!"},
			"decoder":{"type":"Sequence","decoders":[` + strings.Join(list, ",") + `]}}`))
		require.NoError(t, err)
		early := false
		for n := range 8 * 8 * 8 * 8 {
			ids := []int{n % 8, n / 8 % 8, n / 64 % 8, n / 512}
			s, text := k.Stream(), ""
			for _, id := range ids {
				text += s.Next(id)
			}
			early = early || text != ""
			require.Equal(t, must(k.Decode(ids, false)), text+s.Flush(), "%s: %v", c.decoders, ids)
		}
		require.Equal(t, c.late, !early, c.decoders)
	}
}

// TestStreamOfFile: tokens of a file, some of which are given without the decoders, stream as they are decoded
// together.
func TestStreamOfFile(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small)
	for _, kind := range []string{"llama", "bert"} {
		f.Metadata["tokenizer.ggml.model"] = kind
		k, err := tokenizer.FromGGUF(f)
		require.NoError(t, err)
		var some []int
		for _, text := range []string{"a", "▁ab", "▁", "<0x41>", "<0xC3>", "<0xA9>", "<s>"} {
			id, ok := k.ID(text)
			require.True(t, ok, text)
			some = append(some, id)
		}
		n := len(some)
		for i := range n * n * n * n {
			ids := []int{some[i%n], some[i/n%n], some[i/n/n%n], some[i/n/n/n]}
			s, text := k.Stream(), ""
			for _, id := range ids {
				text += s.Next(id)
			}
			require.Equal(t, must(k.Decode(ids, false)), text+s.Flush(), "%s: %v", kind, ids)
			require.Equal(t, must(k.Decode(ids[:1], false)), s.Next(ids[0])+s.Flush(), "%s: %v behind a text", kind, ids[0])
		}
		if s := k.Stream(); kind == "llama" {
			s.Next(some[0])
			s.Next(some[0])
			require.Equal(t, " ab", s.Next(some[1]))
			require.Equal(t, 0.0, testing.AllocsPerRun(100, func() { s.Next(some[0]) }), "decoders would make a text")
		}
	}
}

// TestRowsOfBytes: of a long row of byte tokens a stream gives characters before the row ends. A byte of no character
// makes all of the row U+FFFD, or what is left of it.
func TestRowsOfBytes(t *testing.T) {
	k, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"a":0,"<0xC3>":1,"<0xA9>":2},"unk_token":"a"},"decoder":{"type":"ByteFallback"}}`))
	require.NoError(t, err)
	for _, c := range []struct {
		characters int
		given      string
	}{{16, ""}, {17, strings.Repeat("é", 16)}, {20, strings.Repeat("é", 16)}} {
		ids := slices.Repeat([]int{1, 2}, c.characters)
		s, text := k.Stream(), ""
		for _, id := range ids {
			text += s.Next(id)
		}
		require.Equal(t, c.given, text, "%d characters", c.characters)
		require.Equal(t, strings.Repeat("é", c.characters)+"a", text+s.Next(0))
		ids = append(ids, 2)
		require.Equal(t, strings.Repeat("\uFFFD", len(ids)), must(k.Decode(ids, false)))
	}
	s := k.Stream()
	require.Equal(t, []string{"", "", "\uFFFD\uFFFD", "\uFFFD", "a"}, []string{s.Next(1), "", s.Next(1), s.Next(2), s.Next(0)})
}

// TestStreamBehind: the text of a prompt's tokens and the text of the tokens behind them are the text of all tokens.
func TestStreamBehind(t *testing.T) {
	f := llmtest.Open(t, llmtest.Small)
	k, err := tokenizer.FromGGUF(f)
	require.NoError(t, err)
	ids := must(k.Encode("ab cd é ef gh ij kl mn op qr st uv", tokenizer.EncodeOptions{Special: true}))
	whole := must(k.Decode(ids, false))
	for n := range ids {
		s, text := k.StreamBehind(ids[:n]), ""
		for _, id := range ids[n:] {
			text += s.Next(id)
		}
		text += s.Flush()
		before := must(k.Decode(ids[:n], false))
		if strings.HasSuffix(before, "\uFFFD") { // the character comes whole
			before = strings.TrimRight(before, "\uFFFD")
		}
		require.Equal(t, whole, before+text, n)
	}
	id, ok := k.ID("▁ab")
	require.True(t, ok)
	require.Equal(t, "ab", k.Stream().Next(id))
	require.Equal(t, " ab", k.StreamBehind(ids[:2]).Next(id))
}

// TestEndsOfGGUF: a text has the tokens in front and behind that its kind of vocabulary has by itself in llama.cpp, or
// those that the file asks for.
func TestEndsOfGGUF(t *testing.T) {
	for _, c := range []struct {
		kind, key   string
		value       bool
		front, ends bool
	}{
		{"llama", "", false, true, false},
		{"llama", "add_bos_token", false, false, false},
		{"llama", "add_eos_token", true, true, true},
		{"t5", "", false, false, true},
		{"t5", "add_bos_token", true, true, true},
		{"t5", "add_eos_token", false, false, false},
		{"bert", "", false, true, true},
	} {
		f := llmtest.Open(t, llmtest.Small)
		delete(f.Metadata, "tokenizer.ggml.add_bos_token")
		delete(f.Metadata, "tokenizer.ggml.add_eos_token")
		f.Metadata["tokenizer.ggml.model"] = c.kind
		if c.key != "" {
			f.Metadata["tokenizer.ggml."+c.key] = c.value
		}
		k, err := tokenizer.FromGGUF(f)
		require.NoError(t, err)
		plain := must(k.Encode("a", tokenizer.EncodeOptions{}))
		want := plain
		if c.front {
			want = slices.Concat([]int{k.Begin()}, want)
		}
		ids := must(k.Encode("a", tokenizer.EncodeOptions{Special: true}))
		require.Equal(t, c.ends, len(ids) > len(want), "%s, %s %v: %v", c.kind, c.key, c.value, ids)
		require.Equal(t, want, ids[:len(want)], "%s, %s %v", c.kind, c.key, c.value)
		if c.ends {
			require.Len(t, ids, len(want)+1)
			require.NotEqual(t, ids[len(want)], plain[len(plain)-1])
		}
	}
}
