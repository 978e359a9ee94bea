package tokenizer

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// joined makes the text of tokens that decoders make, by putting the texts of the tokens one behind another. Decoders
// have to make the text where bytes of tokens are no characters, or make a mark for a space.
type joined struct {
	read   func(token string) string       // what a token writes
	finish func(text, first string) string // makes the text from the texts of all tokens; first is the first token
	rows   bool                            // a row of bytes with one that is of no character has none that is
	once   sync.Once
	texts  []string // that tokens write
}

// decode returns the text of tokens, or false if the decoders have to make it.
func (j *joined) decode(t *Tokenizer, ids []int, special bool) (string, bool) {
	j.once.Do(func() {
		j.texts = make([]string, len(t.vocabulary.texts))
		for id, text := range t.vocabulary.texts {
			j.texts[id] = j.read(t.added.write(int32(id), text))
		}
	})
	var out strings.Builder
	out.Grow(4 * len(ids))
	first := -1
	for _, id := range ids {
		if t.unwritten(id, special) {
			continue
		}
		if first < 0 {
			first = id
		}
		out.WriteString(j.texts[id])
	}
	text := out.String()
	if first < 0 || !utf8.ValidString(text) || strings.Contains(text, metaMark) {
		return "", false
	}
	if j.finish != nil {
		text = j.finish(text, t.added.write(int32(first), t.vocabulary.texts[first]))
	}
	return text, true
}

// joinedMarks is for tokens that [markedText] reads. strip drops one space in front of the text.
func joinedMarks(strip bool) *joined {
	j := &joined{read: markedText}
	if strip {
		j.finish = func(text, _ string) string { return strings.TrimPrefix(text, " ") }
	}
	return j
}

// levelText reads a token with a character for each byte. A token with another character is its own text.
func levelText(token string) string {
	out := make([]byte, 0, len(token))
	for _, r := range token {
		b, ok := byteOf(r)
		if !ok {
			return token
		}
		out = append(out, b)
	}
	return string(out)
}

// markedText reads a token with marks for spaces, or the name of a byte.
func markedText(token string) string {
	if b, ok := byteToken(token); ok {
		return string([]byte{b})
	}
	return strings.ReplaceAll(token, metaMark, " ")
}
