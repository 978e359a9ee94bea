package tokenizer_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/tensor/gguf"
	"github.com/go-acap/acap/text/tokenizer"
)

// recorded is the tokens of lines by Hugging Face's tokenizers; testdata/record.py records them.
type recorded struct {
	Lines []string
	Cases map[string]struct {
		Tokenizer            json.RawMessage
		Special, Plain, Pair [][]int
		Text, Whole          []string
	}
}

func recordings(t testing.TB) (r recorded) {
	f, err := os.Open("testdata/cases.json.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	require.NoError(t, json.NewDecoder(z).Decode(&r))
	require.Greater(t, len(r.Cases), 30)
	return r
}

// TestRecorded encodes and decodes as tokenizers does: alone, with special tokens, in pairs, and as a stream.
func TestRecorded(t *testing.T) {
	r := recordings(t)
	for name, c := range r.Cases {
		t.Run(name, func(t *testing.T) {
			k, err := tokenizer.Parse(c.Tokenizer)
			require.NoError(t, err)
			for i, line := range r.Lines {
				require.Equal(t, c.Special[i], must(k.Encode(line, tokenizer.EncodeOptions{Special: true})), "%q", line)
				require.Equal(t, c.Plain[i], must(k.Encode(line, tokenizer.EncodeOptions{})), "%q", line)
				require.Equal(t, c.Text[i], must(k.Decode(c.Plain[i], false)), "%q", line)
				if i < len(c.Pair) {
					require.Equal(t, c.Pair[i], must(k.EncodePair(line, r.Lines[i+1], tokenizer.EncodeOptions{Special: true})), "%q", line)
					require.Equal(t, c.Whole[i], must(k.Decode(c.Plain[i], true)), "%q", line)
				}
				s, text := k.Stream(), ""
				for _, id := range c.Plain[i] {
					piece := s.Next(id)
					require.False(t, strings.HasSuffix(piece, "\uFFFD") && !strings.HasSuffix(c.Text[i], "\uFFFD") && !strings.Contains(c.Text[i], "\uFFFD"), "%q", line)
					text += piece
				}
				require.Equal(t, c.Text[i], text+s.Flush(), "%q", line)
			}
		})
	}
}

// TestBroken: bytes that are not UTF-8 are read as U+FFFD, one for each row of them.
func TestBroken(t *testing.T) {
	k, err := tokenizer.Parse(recordings(t).Cases["gpt2"].Tokenizer)
	require.NoError(t, err)
	require.Equal(t, must(k.Encode("a\uFFFDb", tokenizer.EncodeOptions{})), must(k.Encode("a\xffb", tokenizer.EncodeOptions{})))
	for _, id := range []int{-1, 1 << 30} {
		require.Empty(t, must(k.Decode([]int{id}, true)))
		require.Empty(t, k.Token(id))
	}
}

// TestErrors: what is wrong in a file is an error that names the part.
func TestErrors(t *testing.T) {
	model := `"model":{"type":"WordLevel","vocab":{"a":0},"unk_token":"a"}`
	for text, want := range map[string]string{
		`{`:                                     "unexpected end",
		`{}`:                                    "model: there is none",
		`{"model":{"type":"Lemma","vocab":{}}}`: `model: the type "Lemma"`,
		`{"model":{"type":"BPE","vocab":{"a":0.5},"merges":[]}}`:                                                          "model: vocab: byte 8: there is the number 0.5, want a whole number",
		`{"model":{"type":"BPE","vocab":{"b":1,"a":1},"merges":[]}}`:                                                      `the tokens "a" and "b" have the number 1`,
		`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}}`:                                                       "merge 0",
		`{"model":{"type":"BPE","vocab":{"a":-4},"merges":[]}}`:                                                           "the number -4",
		`{"model":{"type":"Unigram","vocab":[["a",0]],"unk_id":7}}`:                                                       "unk_id is 7",
		`{` + model + `,"normalizer":{"type":"Lemma"}}`:                                                                   "normalizer",
		`{` + model + `,"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAA"}}`:                               "cut short",
		`{` + model + `,"pre_tokenizer":{"type":"Lemma"}}`:                                                                "pre_tokenizer",
		`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"("},"behavior":"Isolated"}}`:                  "does not end",
		`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"\\y"},"behavior":"Isolated"}}`:                "is not supported",
		`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(a)\\2"},"behavior":"Isolated"}}`:             "no group 2",
		`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(?<n>a)\\1"},"behavior":"Isolated"}}`:         "by number",
		`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(?<n>a)\\k<m>"},"behavior":"Isolated"}}`:      `"m"`,
		`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"a"},"behavior":"Never"}}`:                     `"Never"`,
		`{` + model + `,"pre_tokenizer":{"type":"FixedLength","length":0}}`:                                               "0 characters",
		`{` + model + `,"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x"}}],"pair":[]}}`: `"x"`,
		`{` + model + `,"post_processor":{"type":"TemplateProcessing","single":[]}}`:                                      "single and pair",
		`{` + model + `,"post_processor":{"type":"TemplateProcessing","single":[{"Sequence":{"id":"C"}}],"pair":[]}}`:     `"C"`,
		`{` + model + `,"post_processor":{"type":"TemplateProcessing","single":[{}],"pair":[]}}`:                          "neither",
		`{` + model + `,"post_processor":{"type":"BertProcessing","sep":["a",0]}}`:                                        "sep and cls",
		`{` + model + `,"version":"2.0"}`:                                                                                 `version: "2.0"`,
		`{` + model + `,"truncation":{"max_length":4,"direction":"Up"}}`:                                                  `truncation: the direction "Up"`,
		`{` + model + `,"truncation":{"max_length":4,"strategy":"Never"}}`:                                                `truncation: the strategy "Never"`,
		`{` + model + `,"truncation":{}}`:                                                                                 "max_length",
		`{` + model + `,"padding":{"pad_id":0}}`:                                                                          "padding: the strategy",
		`{` + model + `,"padding":{"strategy":{"Fixed":-1}}}`:                                                             "padding: the strategy",
		`{` + model + `,"pre_tokenizer":{"type":"Metaspace","replacement":"__"}}`:                                         `"__"`,
		`{` + model + `,"decoder":{"type":"Metaspace","prepend_scheme":"last"}}`:                                          `"last"`,
		`{` + model + `,"normalizer":{"type":"Prepend"}}`:                                                                 "text prepend",
		`{` + model + `,"normalizer":{"type":"Replace","pattern":{"String":"a"}}}`:                                        "text content",
		`{` + model + `,"decoder":{"type":"Lemma"}}`:                                                                      "decoder",
		`{` + model + `,"added_tokens":[{"id":-1,"content":"x"}]}`:                                                        "the number -1",
	} {
		_, err := tokenizer.Parse([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
	_, err := tokenizer.Open("missing.json")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestErrorsInOrder: of several tokens whose numbers are wrong, an error always names the first by the alphabet.
func TestErrorsInOrder(t *testing.T) {
	for vocabulary, want := range map[string]string{
		`{"d":-1,"b":-1,"c":-1,"a":0}`:       `token "b" has the number -1`,
		`{"f":1,"e":1,"d":0,"c":0,"b":0}`:    `the tokens "b" and "c" have the number 0`,
		`{"c":1,"b":1,"d":2147483647,"a":0}`: `the tokens "b" and "c"`,
	} {
		for range 50 {
			_, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","unk_token":"a","vocab":` + vocabulary + `}}`))
			require.ErrorContains(t, err, want)
		}
	}
}

// TestWhole: a text is neither cut nor filled up if so asked, whatever the file says.
func TestWhole(t *testing.T) {
	k, err := tokenizer.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"a":0,"b":1},"unk_token":"b"},"pre_tokenizer":{"type":"WhitespaceSplit"},
		"truncation":{"direction":"Right","max_length":3,"strategy":"LongestFirst","stride":0},
		"padding":{"strategy":{"Fixed":4},"direction":"Right","pad_id":1,"pad_type_id":0,"pad_token":"b"}}`))
	require.NoError(t, err)
	require.Equal(t, []int{0, 0, 0, 1}, must(k.Encode("a a a a a", tokenizer.EncodeOptions{})))
	require.Equal(t, []int{0, 0, 0, 0, 0}, must(k.Encode("a a a a a", tokenizer.EncodeOptions{Whole: true})))
	require.Equal(t, []int{0, 0}, must(k.EncodePair("a", "a", tokenizer.EncodeOptions{Whole: true})))
}

// TestScores: where two ways to divide a word have one sum, the last bit of the scores decides as tokenizers 0.23.1
// reads them, which is not to the nearest number.
func TestScores(t *testing.T) {
	for _, c := range []struct {
		scores string
		want   []int
	}{
		{`["b",-9.112847118503351],["a",-1.275309847301982],["aa",-1.2290127489411473]`, []int{1, 2, 3}},
		{`["b",-1.97885523200872],["a",-9.098366503204181],["aa",-5.591043828358087]`, []int{1, 2, 3}},
		{`["b",-3.2806912243701403],["a",-5.293090863750411],["aa",-1.9011622955540681]`, []int{1, 3, 2}},
		{`["b",-3.7658900603126213],["a",-3.21743076476583],["aa",-1.73231888845409]`, []int{1, 3, 2}},
	} {
		k, err := tokenizer.Parse([]byte(`{"model":{"type":"Unigram","unk_id":0,"vocab":[["?",-50.0],` + c.scores + `]}}`))
		require.NoError(t, err)
		require.Equal(t, c.want, must(k.Encode("baaa", tokenizer.EncodeOptions{})), c.scores)
	}
}

// benchmarked gives tokenizers with a text: the tokenizers of the recordings, or the one in the file ACAP_TOKENIZER (a
// tokenizer.json or a GGUF file) with the text in the file ACAP_TEXT. Lines come one by one, and the text as a whole.
func benchmarked(b *testing.B, run func(b *testing.B, k *tokenizer.Tokenizer, texts []string)) {
	known := map[string]*tokenizer.Tokenizer{}
	r := recordings(b)
	text := strings.Join(r.Lines, "\n")
	if path := os.Getenv("ACAP_TOKENIZER"); path != "" {
		data, err := os.ReadFile(os.Getenv("ACAP_TEXT"))
		require.NoError(b, err)
		text = string(data)
		if known[filepath.Base(path)], err = tokenizer.Open(path); strings.HasSuffix(path, ".gguf") {
			f, e := gguf.Open(path)
			require.NoError(b, e)
			known[filepath.Base(path)], err = tokenizer.FromGGUF(f)
		}
		require.NoError(b, err)
	} else {
		for _, name := range []string{"gpt2", "llama3", "llama2", "uni_always_True", "bert"} {
			k, err := tokenizer.Parse(r.Cases[name].Tokenizer)
			require.NoError(b, err)
			known[name] = k
		}
	}
	for name, k := range known {
		for part, texts := range map[string][]string{"lines": strings.Split(text, "\n"), "whole": {text}} {
			b.Run(name+"/"+part, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				run(b, k, texts)
			})
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	benchmarked(b, func(b *testing.B, k *tokenizer.Tokenizer, texts []string) {
		for b.Loop() {
			for _, text := range texts {
				must(k.Encode(text, tokenizer.EncodeOptions{}))
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	benchmarked(b, func(b *testing.B, k *tokenizer.Tokenizer, texts []string) {
		var ids [][]int
		for _, text := range texts {
			ids = append(ids, must(k.Encode(text, tokenizer.EncodeOptions{})))
		}
		for b.Loop() {
			for _, list := range ids {
				_, _ = k.Decode(list, true)
			}
		}
	})
}

// must returns a value whose making does not fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func ExampleTokenizer() {
	t, err := tokenizer.Parse([]byte(`{"model": {"type": "WordPiece", "unk_token": "?", "vocab": {"?": 0, "un": 1, "##like": 2, "##ly": 3, "so": 4}},
		"pre_tokenizer": {"type": "WhitespaceSplit"}, "decoder": {"type": "WordPiece"}, "added_tokens": []}`))
	if err != nil {
		panic(err)
	}
	ids, err := t.Encode("so unlikely", tokenizer.EncodeOptions{})
	if err != nil {
		panic(err)
	}
	text, err := t.Decode(ids, false)
	if err != nil {
		panic(err)
	}
	fmt.Println(ids, text)
	// Output: [4 1 2 3] so unlikely
}

func ExampleTokenizer_EncodeOffsets() {
	t, err := tokenizer.Parse([]byte(`{"model": {"type": "WordPiece", "unk_token": "?", "vocab": {"?": 0, "un": 1, "##like": 2, "##ly": 3, "so": 4}},
		"normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "WhitespaceSplit"}, "added_tokens": []}`))
	if err != nil {
		panic(err)
	}
	text := "So  Unlikely 🎉"
	e, err := t.EncodeOffsets(text, tokenizer.EncodeOptions{})
	if err != nil {
		panic(err)
	}
	for i, part := range e.Offsets {
		fmt.Println(e.Tokens[i], part, text[part.Start:part.End])
	}
	// Output:
	// so {0 2} So
	// un {4 6} Un
	// ##like {6 10} like
	// ##ly {10 12} ly
	// ? {13 17} 🎉
}

func ExampleStream() {
	t, err := tokenizer.Parse([]byte(`{"model": {"type": "BPE", "merges": [], "vocab": {"Ã": 0, "©": 1, "a": 2}}, "decoder": {"type": "ByteLevel"}, "added_tokens": []}`))
	if err != nil {
		panic(err)
	}
	s := t.Stream()
	fmt.Printf("%q %q %q\n", s.Next(2), s.Next(0), s.Next(1))
	// Output: "a" "" "é"
}

func ExampleTokenizer_EncodePair() {
	t, err := tokenizer.Parse([]byte(`{"model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "[CLS]": 1, "[SEP]": 2, "who": 3, "she": 4}},
		"pre_tokenizer": {"type": "Whitespace"}, "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]},
		"added_tokens": [{"id": 1, "content": "[CLS]", "special": true}, {"id": 2, "content": "[SEP]", "special": true}]}`))
	if err != nil {
		panic(err)
	}
	ids, err := t.EncodePair("who", "she", tokenizer.EncodeOptions{Special: true})
	if err != nil {
		panic(err)
	}
	text, err := t.Decode(ids, false)
	if err != nil {
		panic(err)
	}
	fmt.Println(ids, text)
	// A text of somebody else may have the name of a special token.
	special, err := t.Encode("[SEP]", tokenizer.EncodeOptions{})
	if err != nil {
		panic(err)
	}
	literal, err := t.Encode("[SEP]", tokenizer.EncodeOptions{Literal: true})
	if err != nil {
		panic(err)
	}
	fmt.Println(special, literal)
	// Output:
	// [1 3 2 4 2] who she
	// [2] [0 0 0]
}

func ExampleFromGGUF() {
	path, remove := llmtest.Temporary(llmtest.Small)
	defer remove()
	f, err := gguf.Open(path)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	t, err := tokenizer.FromGGUF(f)
	if err != nil {
		panic(err)
	}
	ids, err := t.Encode("cab", tokenizer.EncodeOptions{Special: true})
	if err != nil {
		panic(err)
	}
	text, err := t.Decode(ids, false)
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Size(), ids[0] == t.Begin(), len(ids), text)
	// Output: 320 true 5 cab
}
