package tokenizer

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Extent is a part of a text: where it begins and where it ends, in bytes.
type Extent struct{ Start, End int }

// traced is a text, and for each of its bytes the part of the given text that the byte comes from. from is nil where no
// offsets are asked for.
type traced struct {
	text string
	from []Extent
}

// given returns a text before all changes: the bytes of a character come from the character. Bytes that are not UTF-8
// become U+FFFD, one for each part of the length that broken returns; if broken is nil, the bytes stay.
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

// appendRune appends a character to a text that is being made, with the part that the character comes from.
func (t *traced) appendRune(out []byte, r rune, from Extent) []byte {
	out = utf8.AppendRune(out, r)
	for len(t.from) < len(out) {
		t.from = append(t.from, from)
	}
	return out
}

// edit is a character of a changed text. The character takes the place of the next character of the text before the
// change, and of -change more characters. With a change of 1 the character is inserted, and has the origin of the
// character in front.
type edit struct {
	r      rune
	change int32
}

// textOf returns the text that edits make.
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

// edited returns the text after edits. The first left characters are left out.
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

// part returns a part of the text.
func (t traced) part(start, end int) traced {
	t.text = t.text[start:end]
	if t.from != nil {
		t.from = t.from[start:end]
	}
	return t
}

// behind returns the text with another text in front, which has the origin of the first character.
func (t traced) behind(text string) traced {
	t.text = text + t.text
	if t.from != nil {
		first := []Extent{{}}
		copy(first, t.from)
		t.from = slices.Concat(slices.Repeat(first, len(text)), t.from)
	}
	return t
}

// widened returns a text that was made from the text byte by byte: width is how many bytes were made of a byte.
func (t traced) widened(text string, width func(b byte) int) traced {
	made := traced{text: text}
	for i, from := range t.from {
		for range width(t.text[i]) {
			made.from = append(made.from, from)
		}
	}
	return made
}

// marked returns the text with a mark for each space.
func (t traced) marked(mark string) traced {
	return t.widened(strings.ReplaceAll(t.text, " ", mark), func(b byte) int {
		if b == ' ' {
			return len(mark)
		}
		return 1
	})
}

// bytesWritten returns the text with a character for each byte.
func (t traced) bytesWritten() traced {
	return t.widened(byteText(t.text), func(b byte) int { return utf8.RuneLen(byteRunes[b]) })
}

// origin returns the extent that a part of the text comes from; an empty extent for an empty part.
func (t traced) origin(part Extent) Extent {
	if part.Start >= part.End {
		return Extent{}
	}
	return Extent{t.from[part.Start].Start, t.from[part.End-1].End}
}
