package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// Stream makes text of tokens as they come. It never gives a part of a character.
type Stream struct {
	t      *Tokenizer
	in     receiver
	out    written
	before string // what is not given again, as long as the text is the same
	err    error
	level  bool // decoders hold nothing back, the text has begun, and before is empty
}

// mostHeld is how many bytes of a row of byte tokens a stream holds back at most.
const mostHeld = 32

// Stream returns a stream of text. Special tokens are left out. Next and Flush together return the text that Decode
// makes of all tokens. Text is held back as long as a later token may change it: where decoders read what others have
// joined, such as WordPiece with cleanup behind Fuse, up to the end. Of byte tokens behind each other at most 32 are
// held back: characters in front of these stay where Decode writes U+FFFD for a row that has bytes of no character.
func (t *Tokenizer) Stream() *Stream {
	s := &Stream{t: t}
	s.in = t.receiver(&s.out, mostHeld)
	return s
}

// StreamBehind is [Tokenizer.Stream] for tokens behind others, whose text is not given again: a space in front of the
// first word stays, and the bytes of a character may begin in front.
func (t *Tokenizer) StreamBehind(ids []int) (s *Stream) {
	s = t.Stream()
	defer caught(&s.err)
	for _, id := range ids {
		if !t.unwritten(id, false) {
			t.give(s.in, id)
		}
	}
	s.before = t.decoded(ids, false)[len(s.out.text):]
	s.out.text = s.out.text[:0]
	return s
}

// Err says why the stream gives no more text: [ErrSteps], where a decoder has an expression.
func (s *Stream) Err() error { return s.err }

// Next returns the text that one more token completes; it is empty behind an error, and may be so otherwise.
func (s *Stream) Next(id int) string {
	if s.err != nil || s.t.unwritten(id, false) {
		return ""
	}
	alone, ok := s.t.alone(id)
	if ok && s.level {
		return alone // decoders would give the same
	}
	text := s.given(func() { s.t.give(s.in, id) })
	s.level = ok && s.err == nil && text == alone
	return text
}

// given is the text that a step of the decoders makes certain; there is none if an expression has no steps left.
func (s *Stream) given(step func()) string {
	defer caught(&s.err)
	step()
	return s.take()
}

// alone returns the text of a token if it does not depend on other tokens, unless the text begins with the token. Where
// decoders hold back whole tokens, there is none.
func (t *Tokenizer) alone(id int) (text string, ok bool) {
	if t.joined == nil {
		return "", false
	}
	token := t.added.write(int32(id), t.vocabulary.texts[id])
	if _, ok := byteToken(token); ok && t.joined.rows {
		return "", false
	}
	text = t.joined.read(token)
	return text, text != "" && utf8.ValidString(text) && !strings.Contains(text, metaMark)
}

// Flush returns the text that was held back, and begins another text.
func (s *Stream) Flush() string {
	if s.err != nil {
		return ""
	}
	text := s.given(s.in.close)
	s.in, s.before, s.level = s.t.receiver(&s.out, mostHeld), "", false
	return text
}

// take returns what was written, without what the text before has of it.
func (s *Stream) take() string {
	text := string(s.out.text)
	s.out.text = s.out.text[:0]
	n := 0
	for n < len(text) && n < len(s.before) && text[n] == s.before[n] {
		n++
	}
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	if s.before = s.before[n:]; n < len(text) {
		s.before = ""
	}
	return text[n:]
}
