package tokenizer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Encoding has the tokens of a text, or of two texts, and the part of the text that each token comes from. The lists
// have one member for each token.
type Encoding struct {
	IDs     []int
	Tokens  []string // as the vocabulary has them
	Offsets []Extent // in the text, in bytes; empty for a token that was put around
	Texts   []int    // 0 for the first text, 1 for the second one, -1 for a token that was put around
	Special []bool   // the token was put around: by a post-processor, or to fill up
}

// EncodeOffsets is [Tokenizer.Encode] with the parts of the text that tokens come from. Where a normalizer changed the
// text, a part has the characters from which the token was made, as in tokenizers 0.23, so that two tokens may have
// the same part. Behind characters that a BPE without a token for unknown ones leaves out, parts are where tokens come
// from, and those of tokenizers are too far in front. EncodeOffsets takes several times as long as Encode, which
// remembers words. Errors are those of [Tokenizer.Encode].
func (t *Tokenizer) EncodeOffsets(text string, o EncodeOptions) (out Encoding, err error) {
	defer caught(&err)
	var e located
	return e.encoding(t, t.arrange(e.locate(t, text, 0, o), nil, o)), nil
}

// EncodePairOffsets is [Tokenizer.EncodePair] with the parts of the texts that tokens come from. Errors are those of
// [Tokenizer.Encode].
func (t *Tokenizer) EncodePairOffsets(text, second string, o EncodeOptions) (out Encoding, err error) {
	defer caught(&err)
	var e located
	first := e.locate(t, text, 0, o)
	return e.encoding(t, t.arrange(first, append([]int32{}, e.locate(t, second, 1, o)...), o)), nil
}

// origin is the part of a text that a token comes from.
type origin struct {
	Extent
	added bool // the token is an added token, which was found there
}

// located has the tokens of texts. While tokens are arranged, ^i stands for token i: numbers of tokens that are put
// around the texts are not negative.
type located struct {
	ids     []int32
	origins []origin
	texts   []int
}

// locate appends the tokens of a text, and returns the numbers that stand for these tokens.
func (e *located) locate(t *Tokenizer, text string, which int, o EncodeOptions) []int32 {
	first := len(e.ids)
	ids, words := t.divide(given(text, t.broken), o, &e.origins)
	e.ids = append(e.ids, ids...)
	for _, s := range t.trims {
		s.trim(t, text, e.ids[first:], e.origins[first:])
	}
	list := make([]int32, len(ids))
	for i := range list {
		list[i] = int32(^(first + i))
		e.texts = append(e.texts, which)
	}
	return t.cut(list, words, o)
}

// encoding returns the tokens that a list stands for.
func (e *located) encoding(t *Tokenizer, list []int32) Encoding {
	n := len(list)
	out := Encoding{make([]int, n), make([]string, n), make([]Extent, n), make([]int, n), make([]bool, n)}
	for i, id := range list {
		out.Texts[i], out.Special[i] = -1, id >= 0
		if id < 0 {
			at := ^id
			id, out.Offsets[i], out.Texts[i] = e.ids[at], e.origins[at].Extent, e.texts[at]
		}
		out.IDs[i], out.Tokens[i] = int(id), t.Token(int(id))
	}
	return out
}

// spaceTrim leaves spaces at the ends of tokens out of the parts that the tokens come from.
type spaceTrim struct{ prefixed bool } // a space was put in front of texts

func (s spaceTrim) trim(t *Tokenizer, text string, ids []int32, origins []origin) {
	space := func(r rune) bool { return r == byteRunes[' '] || unicode.IsSpace(r) }
	for i, id := range ids {
		token, e := t.Token(int(id)), &origins[i]
		if e.added {
			token = text[e.Start:e.End] // with the spaces that it takes
		}
		left := utf8.RuneCountInString(token) - utf8.RuneCountInString(strings.TrimLeftFunc(token, space))
		right := utf8.RuneCountInString(token) - utf8.RuneCountInString(strings.TrimRightFunc(token, space))
		if left == 1 && s.prefixed && (i == 0 || e.Start == 0) {
			left = 0
		}
		for ; left > 0 && e.Start < e.End; left-- {
			_, n := utf8.DecodeRuneInString(text[e.Start:])
			e.Start += n
		}
		for ; right > 0 && e.End > e.Start; right-- {
			_, n := utf8.DecodeLastRuneInString(text[:e.End])
			e.End -= n
		}
	}
}
