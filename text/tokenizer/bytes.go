package tokenizer

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// characters makes characters of bytes as they come.
type characters struct{ pending []byte } // of a character that is not complete

// add returns the characters that are complete, with U+FFFD for bytes that are none.
func (c *characters) add(b ...byte) string {
	c.pending = append(c.pending, b...)
	n := complete(c.pending)
	text := lossy(c.pending[:n])
	c.pending = append(c.pending[:0], c.pending[n:]...)
	return text
}

// rest is what the bytes are that are left.
func (c *characters) rest() string {
	text := lossy(c.pending)
	c.pending = c.pending[:0]
	return text
}

// complete is the number of bytes in front of the beginning of a character that more bytes may complete.
func complete(b []byte) int {
	for n := len(b) - 1; n >= 0 && n > len(b)-utf8.UTFMax; n-- {
		if utf8.RuneStart(b[n]) {
			if !utf8.FullRune(b[n:]) {
				return n
			}
			break
		}
	}
	return len(b)
}

// lossy is the text of bytes, with U+FFFD for each sequence of them that begins like a character and is none.
func lossy(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		if r, n := utf8.DecodeRune(b); r != utf8.RuneError || n > 1 {
			out.Write(b[:n])
			b = b[n:]
			continue
		}
		out.WriteRune(utf8.RuneError)
		b = b[subpart(b):]
	}
	return out.String()
}

// subpart is the length of the longest beginning of a character that the bytes start with, at least 1.
func subpart(b []byte) int {
	want, lo, hi := 0, byte(0x80), byte(0xbf)
	switch c := b[0]; {
	case c >= 0xc2 && c <= 0xdf:
		want = 2
	case c >= 0xe0 && c <= 0xef:
		want = 3
		if c == 0xe0 {
			lo = 0xa0
		} else if c == 0xed {
			hi = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		want = 4
		if c == 0xf0 {
			lo = 0x90
		} else if c == 0xf4 {
			hi = 0x8f
		}
	}
	n := 1
	for n < want && n < len(b) && b[n] >= lo && b[n] <= hi {
		n++
		lo, hi = 0x80, 0xbf
	}
	return n
}

// byteLevelDecoder reads a byte from each character. A token with other characters stays as it is.
func byteLevelDecoder(next receiver, _ int) receiver { return &levelBytes{receiver: next} }

type levelBytes struct {
	receiver
	open
	characters
	bytes []byte
}

func (l *levelBytes) part(text string) { l.open.part(text) }

func (l *levelBytes) end() {
	text := l.whole()
	l.bytes = l.bytes[:0]
	for _, r := range text {
		b, ok := byteOf(r)
		if !ok {
			l.bytes = append(l.bytes[:0], text...)
			break
		}
		l.bytes = append(l.bytes, b)
	}
	l.receiver.part(l.add(l.bytes...))
}

func (l *levelBytes) close() {
	l.receiver.part(l.rest())
	l.receiver.end()
	l.receiver.close()
}

// byteFallback joins tokens such as <0xE2> to characters. A row of bytes that has bytes of no character becomes U+FFFD,
// one for each byte.
func byteFallback(next receiver, most int) receiver { return &rowsOfBytes{receiver: next, most: most} }

type rowsOfBytes struct {
	receiver
	open
	row    []byte
	most   int
	begun  bool // a text was begun for the row
	broken bool // the row has bytes of no character
}

func (f *rowsOfBytes) part(text string) { f.open.part(text) }

func (f *rowsOfBytes) end() {
	text := f.whole()
	b, ok := byteToken(text)
	if !ok {
		f.endRow()
		f.receiver.part(text)
		f.receiver.end()
		return
	}
	if f.row = append(f.row, b); f.broken {
		f.replace()
		return
	}
	n := complete(f.row)
	switch {
	case !utf8.Valid(f.row[:n]):
		f.endText()
		f.broken = true
		f.replace()
	case len(f.row) > f.most:
		f.receiver.part(string(f.row[:n]))
		f.begun = true
		f.row = append(f.row[:0], f.row[n:]...)
	}
}

// replace writes U+FFFD for each byte that is held.
func (f *rowsOfBytes) replace() {
	for range f.row {
		f.receiver.part("\uFFFD")
		f.receiver.end()
	}
	f.row = f.row[:0]
}

// endText ends the text that was begun.
func (f *rowsOfBytes) endText() {
	if f.begun {
		f.receiver.end()
		f.begun = false
	}
}

// endRow gives what is held of a row that ends.
func (f *rowsOfBytes) endRow() {
	if len(f.row) > 0 && utf8.Valid(f.row) {
		f.receiver.part(string(f.row))
		f.begun, f.row = true, f.row[:0]
	}
	f.endText()
	f.replace()
	f.broken = false
}

func (f *rowsOfBytes) close() {
	f.endRow()
	f.receiver.close()
}

// byteFallbackJoined joins byte tokens to characters, and keeps the good ones of a row that has bytes of no character.
func byteFallbackJoined(next receiver, _ int) receiver { return &joinedBytes{receiver: next} }

type joinedBytes struct {
	receiver
	open
	characters
	begun bool // a text was begun for a row of bytes
}

func (j *joinedBytes) part(text string) { j.open.part(text) }

func (j *joinedBytes) end() {
	text := j.whole()
	if b, ok := byteToken(text); ok {
		j.receiver.part(j.add(b))
		j.begun = true
		return
	}
	j.endRow()
	j.receiver.part(text)
	j.receiver.end()
}

func (j *joinedBytes) endRow() {
	if j.begun {
		j.receiver.part(j.rest())
		j.receiver.end()
		j.begun = false
	}
}

func (j *joinedBytes) close() {
	j.endRow()
	j.receiver.close()
}

// byteToken reads a token such as <0x0A>.
func byteToken(t string) (byte, bool) {
	if len(t) != 6 || !strings.HasPrefix(t, "<0x") || t[5] != '>' {
		return 0, false
	}
	v, err := strconv.ParseUint(t[3:5], 16, 8)
	return byte(v), err == nil
}
