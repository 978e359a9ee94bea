package data

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/inputfile"
)

// Text is a dataset for models that foretell the next character. Example i is the
// Length characters from character i of the text on, as int64 numbers, and the Length characters from character i+1 on.
type Text struct {
	Alphabet []rune // the characters of the text, sorted: their numbers are their places
	Length   int

	tokens []int64
}

// LoadText reads a text in UTF-8 from a file; see [NewText]. Errors name the file.
func LoadText(path string, length int) (*Text, error) {
	data, err := inputfile.Read(path)
	if err != nil {
		return nil, err
	}
	t, err := NewText(string(data), length)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// NewText makes a dataset of a text, for models that see length characters at once. A text that is no UTF-8 or that is
// too short for one example is an error.
func NewText(text string, length int) (*Text, error) {
	for i := range text {
		if r, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			return nil, fmt.Errorf("data: byte %d of the text is no UTF-8", i)
		}
	}
	set := map[rune]bool{}
	t := &Text{Length: length}
	for _, r := range text {
		if !set[r] {
			set[r] = true
			t.Alphabet = append(t.Alphabet, r)
		}
	}
	slices.Sort(t.Alphabet)
	t.tokens, _ = t.Encode(text)
	if length < 1 || t.Len() < 1 {
		return nil, fmt.Errorf("data: a text of %d characters has no examples of %d", len(t.tokens), length)
	}
	return t, nil
}

// Len returns the number of examples.
func (t *Text) Len() int { return max(len(t.tokens)-t.Length, 0) }

// Example returns example i, as described above. An index outside of 0 to Len()-1 is an error.
func (t *Text) Example(i int) (Example, error) {
	if i < 0 || i >= t.Len() {
		return nil, rangeError(i, t.Len())
	}
	return Example{buf.From(t.tokens[i:][:t.Length], t.Length), buf.From(t.tokens[i+1:][:t.Length], t.Length)}, nil
}

// Encode returns the numbers of the characters of a text. One that is not in the alphabet
// is an error.
func (t *Text) Encode(text string) ([]int64, error) {
	tokens := make([]int64, 0, len(text))
	for i, r := range text {
		k, ok := slices.BinarySearch(t.Alphabet, r)
		if !ok {
			return nil, fmt.Errorf("data: character %q at byte %d is not in the alphabet", r, i)
		}
		tokens = append(tokens, int64(k))
	}
	return tokens, nil
}

// Decode returns the text of numbers. A number that stands for no character is written as
// U+FFFD.
func (t *Text) Decode(tokens []int64) string {
	text := make([]rune, len(tokens))
	for i, k := range tokens {
		text[i] = utf8.RuneError
		if k >= 0 && k < int64(len(t.Alphabet)) {
			text[i] = t.Alphabet[k]
		}
	}
	return string(text)
}
