package tokenizer

import (
	"slices"
	"unicode/utf8"
)

// Tokenizer makes tokens of texts and texts of tokens. It may be used from many goroutines.
type Tokenizer struct {
	normalizer normalizer // nil for none
	split      splitter   // nil for none
	model      model
	vocabulary *vocabulary
	post       []processor
	decoder    []decoder
	joined     *joined // nil where decoders do more
	writes     writing

	broken   func(text string) int // bytes that are read as one U+FFFD, of a text that begins with no character; nil if the model reads bytes
	added    *added
	special  tokenSet // tokens that stand for no text
	silent   tokenSet // tokens that are left out of a text, unless special tokens are wanted
	holes    tokenSet // numbers without a token, between numbers of tokens
	begin    int
	ends     []int
	fill     Fill
	truncate *truncation
	pad      *padding
	trims    []spaceTrim
}

// piece is a part of a text that is being divided. A piece that is a token already has its number.
type piece struct {
	traced
	token int32 // -1 for text
	head  int   // bytes in front that were made of the first character of the whole text
}

// part is a text within the piece.
func (p piece) part(start, end int) piece {
	return piece{p.traced.part(start, end), -1, max(min(p.head, end)-start, 0)}
}

// behind is the piece with a text in front, which counts as made of the character behind it.
func (p piece) behind(text string) piece {
	p.traced = p.traced.behind(text)
	if p.head > 0 {
		p.head += len(text)
	}
	return p
}

// EncodeOptions say how a text becomes tokens.
type EncodeOptions struct {
	Special bool // adds the tokens that the model wants around a text
	Literal bool // names of special tokens in the text are text
	Whole   bool // nothing is cut and nothing is filled up, whatever truncation and padding the file has
}

// Encode returns the tokens of a text. Bytes that are not UTF-8 are read as U+FFFD: one for the bytes that begin a
// character which does not end, and one for each other byte. With a GGUF file, as in llama.cpp, each byte that is not
// UTF-8 is one U+FFFD, or, with SentencePiece's vocabulary, a token of its own. Time and memory grow as the text.
// Errors are [ErrSteps] and [ErrUnknown].
func (t *Tokenizer) Encode(text string, o EncodeOptions) (ids []int, err error) {
	defer caught(&err)
	return t.finish(t.encode(text, o), nil, o), nil
}

// EncodePair returns the tokens of two texts that belong together, such as a question and a paragraph. Errors are those
// of [Tokenizer.Encode].
func (t *Tokenizer) EncodePair(text, second string, o EncodeOptions) (ids []int, err error) {
	defer caught(&err)
	return t.finish(t.encode(text, o), append([]int32{}, t.encode(second, o)...), o), nil
}

// finish arranges tokens, and returns the numbers of the tokens.
func (t *Tokenizer) finish(first, second []int32, o EncodeOptions) []int {
	ids := t.arrange(first, second, o)
	out := make([]int, len(ids))
	for i, id := range ids {
		out[i] = int(id)
	}
	return out
}

// arrange cuts what is too long, adds tokens around, and fills up. second is nil for one text.
func (t *Tokenizer) arrange(first, second []int32, o EncodeOptions) []int32 {
	if t.truncate != nil && !o.Whole {
		room := 0
		if o.Special {
			room = t.adds(second != nil)
		}
		first, second = t.truncate.cut(first, second, room)
	}
	ids := t.around(first, second, o.Special)
	if t.pad != nil && !o.Whole {
		ids = t.pad.fill(ids)
	}
	return ids
}

// around adds the tokens that the model wants, if they are asked for. second is nil for one text.
func (t *Tokenizer) around(first, second []int32, special bool) []int32 {
	sequences := [][]int32{first}
	if second != nil {
		sequences = append(sequences, second)
	}
	for _, p := range t.post {
		sequences = p.process(sequences, special)
	}
	return slices.Concat(sequences...)
}

// adds is how many tokens around adds.
func (t *Tokenizer) adds(pair bool) (count int) {
	for _, p := range t.post {
		count += p.adds(pair)
	}
	return count
}

// encode makes tokens of a text and adds none.
func (t *Tokenizer) encode(text string, o EncodeOptions) []int32 {
	if t.broken != nil && !utf8.ValidString(text) {
		text = given(text, t.broken).text
	}
	out, words := t.divide(traced{text: text}, o, nil)
	return t.cut(out, words, o)
}

// cut leaves the words of a text that is too long.
func (t *Tokenizer) cut(tokens []int32, words []wordSpan, o EncodeOptions) []int32 {
	if t.truncate != nil && !o.Whole {
		return t.truncate.whole(tokens, words)
	}
	return tokens
}

// divide makes tokens of a text, with their words if texts are cut. It appends to origins what each token comes from.
func (t *Tokenizer) divide(text traced, o EncodeOptions, origins *[]origin) (out []int32, words []wordSpan) {
	out = make([]int32, 0, len(text.text)/4+4)
	word := func(p piece) {
		if p.text == "" {
			return
		}
		start := len(out)
		if origins == nil {
			out = t.model.tokens(out, p.text, nil)
		} else {
			var places extents
			out = t.model.tokens(out, p.text, &places)
			for _, place := range places {
				*origins = append(*origins, origin{p.origin(place), false})
			}
		}
		if t.truncate != nil {
			words = append(words, wordSpan{start, len(out)})
		}
	}
	added := func(p piece) {
		if out = append(out, p.token); origins != nil {
			*origins = append(*origins, origin{p.origin(Extent{0, len(p.text)}), true})
		}
	}
	normal := func(p piece) {
		switch {
		case p.token >= 0:
			added(p)
		case p.text == "" || t.split == nil:
			word(p)
		default:
			t.split.split(p, word)
		}
	}
	_, head := utf8.DecodeRuneInString(text.text)
	t.added.divide(piece{text, -1, head}, false, o.Literal, func(raw piece) {
		if raw.token >= 0 {
			added(raw)
			return
		}
		if t.normalizer != nil {
			raw.head = headOf(t.normalizer, raw.text[:min(len(raw.text), longestHead)], raw.head)
			if origins == nil {
				raw.text = t.normalizer.normalize(raw.text)
			} else {
				raw.traced = t.normalizer.trace(raw.traced)
			}
		}
		t.added.divide(raw, true, o.Literal, normal)
	})
	return out, words
}

// Size is the number of tokens: one more than the highest.
func (t *Tokenizer) Size() int { return len(t.vocabulary.texts) }

// Token returns a token as the vocabulary has it; "" if there is none by the number.
func (t *Tokenizer) Token(id int) string {
	if id < 0 || id >= len(t.vocabulary.texts) {
		return ""
	}
	return t.vocabulary.texts[id]
}

// ID returns the number of a token as the vocabulary has it.
func (t *Tokenizer) ID(token string) (int, bool) {
	if id, ok := t.added.byText[token]; ok {
		return int(id), true
	}
	id, ok := t.vocabulary.ids[token]
	return int(id), ok
}

// Begin is the token that a text begins with, -1 if there is none.
func (t *Tokenizer) Begin() int { return t.begin }

// Ends are the tokens that end an answer, as far as the vocabulary says so.
func (t *Tokenizer) Ends() []int { return slices.Clone(t.ends) }

// IsSpecial reports whether a token stands for no text, such as the end of an answer.
func (t *Tokenizer) IsSpecial(id int) bool { return t.special.has(int32(id)) }
