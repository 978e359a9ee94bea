package tokenizer

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Extent is a part of a text: where it begins and where it ends, in bytes.
type Extent struct{ Start, End int }

// traced is a text with what each of its bytes comes from in the text that was given. from is nil where nobody asks.
type traced struct {
	text string
	from []Extent
}

// given is a text as it was given: the bytes of a character come from the character. Bytes that are not UTF-8 are one U+FFFD for as many of them as
// broken says; without broken they stay.
func given(text string, broken func(text string) int) traced {
	t := traced{from: make([]Extent, 0, len(text))}
	out := make([]byte, 0, len(text))
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRuneInString(text[at:])
		if from := at; r == utf8.RuneError && n == 1 && broken != nil {
			at += broken(text[at:])
			out = t.appendRune(out, r, Extent{from, at})
			continue
		}
		out = append(out, text[at:at+n]...)
		for range n {
			t.from = append(t.from, Extent{at, at + n})
		}
		at += n
	}
	t.text = string(out)
	return t
}

// appendRune appends a character to a text that is being made, with what it comes from.
func (t *traced) appendRune(out []byte, r rune, from Extent) []byte {
	out = utf8.AppendRune(out, r)
	for len(t.from) < len(out) {
		t.from = append(t.from, from)
	}
	return out
}

// edit is a character of a text that was changed. It takes the next character of the text before the change, and -change more
// of them; with a change of 1 it takes none, and comes from what the character in front of it comes from.
type edit struct {
	r      rune
	change int32
}

// textOf is the text of edits.
func textOf(list []edit) string {
	size := 0
	for _, e := range list {
		size += utf8.RuneLen(e.r)
	}
	var b strings.Builder
	b.Grow(size)
	for _, e := range list {
		b.WriteRune(e.r)
	}
	return b.String()
}

// edited is the text after edits, in front of which so many characters are left out.
func (t traced) edited(left int, list []edit) traced {
	at := 0
	take := func(count int) {
		for ; count > 0 && at < len(t.text); count-- {
			_, n := utf8.DecodeRuneInString(t.text[at:])
			at += n
		}
	}
	take(left)
	made := traced{from: make([]Extent, 0, len(t.from))}
	out := make([]byte, 0, len(t.text))
	for _, e := range list {
		var from Extent
		switch {
		case e.change > 0 && at > 0:
			from = t.from[at-1]
		case e.change <= 0 && at < len(t.from):
			from = t.from[at]
		}
		out = made.appendRune(out, e.r, from)
		if e.change <= 0 {
			take(1 - int(e.change))
		}
	}
	made.text = string(out)
	return made
}

// part is a text within the text.
func (t traced) part(start, end int) traced {
	t.text = t.text[start:end]
	if t.from != nil {
		t.from = t.from[start:end]
	}
	return t
}

// behind is the text with another one in front, which comes from what the first character comes from.
func (t traced) behind(text string) traced {
	t.text = text + t.text
	if t.from != nil {
		first := []Extent{{}}
		copy(first, t.from)
		t.from = slices.Concat(slices.Repeat(first, len(text)), t.from)
	}
	return t
}

// widened is a text that was made byte by byte: width is how many bytes were made of a byte.
func (t traced) widened(text string, width func(b byte) int) traced {
	made := traced{text: text}
	for i, from := range t.from {
		for range width(t.text[i]) {
			made.from = append(made.from, from)
		}
	}
	return made
}

// marked is the text with a mark for each space.
func (t traced) marked(mark string) traced {
	return t.widened(strings.ReplaceAll(t.text, " ", mark), func(b byte) int {
		if b == ' ' {
			return len(mark)
		}
		return 1
	})
}

// bytesWritten is the text with a character for each byte.
func (t traced) bytesWritten() traced {
	return t.widened(byteText(t.text), func(b byte) int { return utf8.RuneLen(byteRunes[b]) })
}

// origin is what a part of the text comes from; empty for an empty part.
func (t traced) origin(part Extent) Extent {
	if part.Start >= part.End {
		return Extent{}
	}
	return Extent{t.from[part.Start].Start, t.from[part.End-1].End}
}
