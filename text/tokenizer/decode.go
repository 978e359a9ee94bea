package tokenizer

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// decoder changes the texts of tokens, which are joined in the end.
type decoder struct {
	decode func(tokens []string) []string
	joins  bool // all tokens become one text
	looks  bool // what is written of a text depends on what stands behind it in the text
}

// each changes tokens one by one; first is the first of them.
func each(f func(text string, first bool) string) decoder {
	return decoder{decode: func(tokens []string) []string {
		for i := range tokens {
			tokens[i] = f(tokens[i], i == 0)
		}
		return tokens
	}}
}

// looking is a decoder that looks at what stands behind a text, if it does.
func (d decoder) looking(does bool) decoder {
	d.looks = does
	return d
}

// fuse makes one text of all.
var fuse = decoder{joins: true, decode: func(tokens []string) []string { return []string{strings.Join(tokens, "")} }}

// byteLevelDecoder reads a byte from each character. A token with other characters stays as it is.
var byteLevelDecoder = decoder{joins: true, looks: true, decode: func(tokens []string) []string {
	var out []byte
	for _, t := range tokens {
		start := len(out)
		for _, r := range t {
			b, ok := byteOf(r)
			if !ok {
				out = append(out[:start], t...)
				break
			}
			out = append(out, b)
		}
	}
	return []string{lossy(out)}
}}

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

// byteFallback joins tokens such as <0xE2> to characters. Bytes that are none become U+FFFD, one for each.
var byteFallback = decoder{looks: true, decode: func(tokens []string) []string {
	var out []string
	var bytes []byte
	flush := func() {
		if len(bytes) == 0 {
			return
		}
		if utf8.Valid(bytes) {
			out = append(out, string(bytes))
		} else {
			for range bytes {
				out = append(out, "\uFFFD")
			}
		}
		bytes = nil
	}
	for _, t := range tokens {
		if b, ok := byteToken(t); ok {
			bytes = append(bytes, b)
			continue
		}
		flush()
		out = append(out, t)
	}
	flush()
	return out
}}

// byteToken reads a token such as <0x0A>.
func byteToken(t string) (byte, bool) {
	if len(t) != 6 || !strings.HasPrefix(t, "<0x") || t[5] != '>' {
		return 0, false
	}
	v, err := strconv.ParseUint(t[3:5], 16, 8)
	return byte(v), err == nil
}

// tidied closes the gaps that tokens leave in front of punctuation and in contractions.
func tidied(s string) string {
	for _, p := range [][2]string{{" .", "."}, {" ?", "?"}, {" !", "!"}, {" ,", ","}, {" ' ", "'"}, {" n't", "n't"}, {" 'm", "'m"}, {" do not", " don't"},
		{" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}} {
		s = strings.ReplaceAll(s, p[0], p[1])
	}
	return s
}

// strip takes so many characters away in front and behind, if they are a given one.
func strip(content string, start, stop int) decoder {
	return each(func(t string, _ bool) string {
		for n := 0; n < start && content != "" && strings.HasPrefix(t, content); n++ {
			t = t[len(content):]
		}
		for n := 0; n < stop && content != "" && strings.HasSuffix(t, content); n++ {
			t = t[:len(t)-len(content)]
		}
		return t
	}).looking(stop > 0)
}

// ctc leaves out blanks and repetitions.
func ctc(blank, delimiter string, clean bool) decoder {
	return decoder{looks: true, decode: func(tokens []string) []string {
		var out []string
		for _, t := range slices.Compact(tokens) {
			t = strings.ReplaceAll(t, blank, "")
			if clean {
				t = strings.ReplaceAll(tidied(t), delimiter, " ")
			}
			if t != "" {
				out = append(out, t)
			}
		}
		return out
	}}
}

// Decode returns the text of tokens. Numbers that are no tokens are left out, and special tokens as well unless they
// are wanted. An added token that is looked for in normalised texts is written as the normalizer writes it, and is
// special if that text is the name of a special token.
func (t *Tokenizer) Decode(ids []int, special bool) string {
	tokens := make([]string, 0, len(ids))
	for _, id := range ids {
		if t.unwritten(id, special) {
			continue
		}
		tokens = append(tokens, t.added.write(int32(id), t.vocabulary.texts[id]))
	}
	return t.text(tokens)
}

// unwritten reports whether a token is left out of texts.
func (t *Tokenizer) unwritten(id int, special bool) bool {
	return id < 0 || id >= len(t.vocabulary.texts) || t.holes[int32(id)] || !special && t.silent[int32(id)]
}

func (t *Tokenizer) text(tokens []string) string {
	if t.space {
		return strings.Join(tokens, " ")
	}
	for _, d := range t.decoder {
		tokens = d.decode(tokens)
	}
	return strings.Join(tokens, "")
}

// late reports whether a token may change any text in front of it: whether a decoder looks at what others have made one
// text.
func (t *Tokenizer) late() bool {
	joined := false
	for _, d := range t.decoder {
		if joined && d.looks {
			return true
		}
		joined = joined || d.joins
	}
	return false
}

// Stream makes text of tokens as they come. It never gives a part of a character.
type Stream struct {
	t            *Tokenizer
	late         bool // all text is given at the end
	ids          []int
	begin, given int // tokens before begin are forgotten; the text of those before given was returned
}

// Stream returns a stream of text. Special tokens are left out. Where decoders read what other decoders have joined,
// such as WordPiece with cleanup behind Fuse, a later token may change any text before it: then Flush returns all of
// it.
func (t *Tokenizer) Stream() *Stream { return &Stream{t: t, late: t.late()} }

// StreamBehind is [Tokenizer.Stream] for tokens behind others, whose text is not given again: a space in front of the
// first word stays, and the bytes of a character may begin in front.
func (t *Tokenizer) StreamBehind(ids []int) *Stream {
	s := t.Stream()
	for _, id := range ids {
		if !t.unwritten(id, false) {
			s.ids = append(s.ids, id)
		}
	}
	if s.given = len(s.ids); !s.late {
		s.ids = slices.Clone(s.ids[max(0, s.given-mostHeld):])
		s.given = len(s.ids)
	}
	return s
}

// mostHeld bounds the tokens whose text is held back: a character has up to four bytes, and the last three may be the
// beginning of one.
const mostHeld = 8

// Next returns the text that one more token completes, which may be none. What no later token can complete is given as
// it is.
func (s *Stream) Next(id int) string {
	if s.t.unwritten(id, false) {
		return ""
	}
	if s.ids = append(s.ids, id); s.late {
		return ""
	}
	before, all := s.t.Decode(s.ids[s.begin:s.given], false), s.t.Decode(s.ids[s.begin:], false)
	end := len(s.ids)
	if strings.HasSuffix(all, "\uFFFD") && end-s.given > mostHeld {
		end -= 3
		whole := all
		all = s.t.Decode(s.ids[s.begin:end], false)
		// A token of two bytes may have completed a character and begun another one.
		for range 3 {
			if strings.HasPrefix(whole, all) {
				break
			}
			end--
			all = s.t.Decode(s.ids[s.begin:end], false)
		}
	} else if len(all) <= len(before) || strings.HasSuffix(all, "\uFFFD") {
		return ""
	}
	text := behind(before, all)
	s.begin, s.given = max(s.given, end-mostHeld), end
	if s.begin > 1024 {
		s.ids = slices.Clone(s.ids[s.begin:])
		s.begin, s.given = 0, s.given-s.begin
	}
	return text
}

// behind is what a text has behind what it has in common with an earlier one. Some decoders change the last token when
// another one comes.
func behind(before, all string) string {
	n := 0
	for n < len(before) && n < len(all) && before[n] == all[n] {
		n++
	}
	for n > 0 && n < len(all) && !utf8.RuneStart(all[n]) {
		n--
	}
	return all[n:]
}

// Flush returns what was held back for a character that was never completed.
func (s *Stream) Flush() string {
	before, all := s.t.Decode(s.ids[s.begin:s.given], false), s.t.Decode(s.ids[s.begin:], false)
	s.begin, s.given = len(s.ids), len(s.ids)
	if len(all) <= len(before) {
		return ""
	}
	return behind(before, all)
}

// Text returns the bytes that a token stands for within a text, which may be a part of a character.
func (t *Tokenizer) Text(id int) string {
	s := t.Token(id)
	if s == "" || t.added != nil && t.isAdded(int32(id)) {
		return s
	}
	switch t.writes {
	case writesBytes:
		out := make([]byte, 0, len(s))
		for _, r := range s {
			b, ok := byteOf(r)
			if !ok {
				return s
			}
			out = append(out, b)
		}
		return string(out)
	case writesMarks:
		if b, ok := byteToken(s); ok {
			return string([]byte{b})
		}
		return strings.ReplaceAll(s, metaMark, " ")
	}
	return s
}

// writing is how tokens write what texts are made of.
type writing uint8

const (
	writesTexts writing = iota // as it is
	writesBytes                // a character for each byte
	writesMarks                // a mark for each space, and names of bytes
)
