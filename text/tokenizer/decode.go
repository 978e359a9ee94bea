package tokenizer

import (
	"math"
	"strings"
)

// receiver takes the texts of a list, each of them in parts. A part is passed on as soon as no later part can change
// it: tokens that come one by one give the text of all tokens together.
type receiver interface {
	part(text string) // of the text that is open
	end()             // of the text
	close()           // of the list
}

// decoder changes a list of texts, which are joined in the end. It holds back at most most bytes of a row of bytes.
type decoder func(next receiver, most int) receiver

// open is a text whose end has not come.
type open struct {
	text string
	more []byte // instead of text, where there were several parts
}

func (o *open) part(text string) {
	switch {
	case len(o.more) > 0:
		o.more = append(o.more, text...)
	case o.text == "":
		o.text = text
	default:
		o.more, o.text = append(append(o.more, o.text...), text...), ""
	}
}

// whole returns the text, and begins another one.
func (o *open) whole() (text string) {
	if text = o.text; len(o.more) > 0 {
		text, o.more = string(o.more), o.more[:0]
	}
	o.text = ""
	return text
}

// each changes texts one by one, when they are whole; first is the first of them.
func each(f func(text string, first bool) string) decoder {
	return func(next receiver, _ int) receiver { return &wholeTexts{receiver: next, change: f} }
}

type wholeTexts struct {
	receiver
	open
	change func(text string, first bool) string
	later  bool
}

func (w *wholeTexts) part(text string) { w.open.part(text) }

func (w *wholeTexts) end() {
	w.receiver.part(w.change(w.whole(), !w.later))
	w.receiver.end()
	w.later = true
}

// eachPart changes the parts of texts as they come, character by character; first is the first of the texts.
func eachPart(f func(part string, first bool) string) decoder {
	return func(next receiver, _ int) receiver { return &partsOfTexts{receiver: next, change: f} }
}

type partsOfTexts struct {
	receiver
	change func(part string, first bool) string
	later  bool
}

func (p *partsOfTexts) part(text string) { p.receiver.part(p.change(text, !p.later)) }

func (p *partsOfTexts) end() {
	p.receiver.end()
	p.later = true
}

// spaced puts spaces between texts.
var spaced = each(func(text string, first bool) string {
	if first {
		return text
	}
	return " " + text
})

// replaceRune writes a text for a character.
func replaceRune(r, with string) decoder {
	return eachPart(func(part string, _ bool) string { return strings.ReplaceAll(part, r, with) })
}

// fuse makes one text of all.
func fuse(next receiver, _ int) receiver { return fused{next} }

type fused struct{ receiver }

func (fused) end() {}

func (f fused) close() {
	f.receiver.end()
	f.receiver.close()
}

// strip takes up to start characters away in front and up to stop behind, as far as they are the given character.
func strip(content string, start, stop int) decoder {
	if stop == 0 {
		return func(next receiver, _ int) receiver { return &stripped{next, content, start, start} }
	}
	return each(func(t string, _ bool) string {
		for n := 0; n < start && content != "" && strings.HasPrefix(t, content); n++ {
			t = t[len(content):]
		}
		for n := 0; n < stop && content != "" && strings.HasSuffix(t, content); n++ {
			t = t[:len(t)-len(content)]
		}
		return t
	})
}

type stripped struct {
	receiver
	content     string
	start, left int // how many characters are taken away of a text, and of the open one
}

func (s *stripped) part(text string) {
	for s.left > 0 && text != "" {
		rest, ok := strings.CutPrefix(text, s.content)
		if s.left--; !ok || s.content == "" {
			s.left = 0
		}
		text = rest
	}
	s.receiver.part(text)
}

func (s *stripped) end() {
	s.receiver.end()
	s.left = s.start
}

// continued puts spaces in front of texts, but for the first one, and for those that begin with a prefix. The prefix is
// left out.
type continued struct {
	receiver
	open
	prefix string
	later  bool
}

func (c *continued) part(text string) {
	if !c.later {
		c.receiver.part(text)
		return
	}
	c.open.part(text)
}

func (c *continued) end() {
	if c.later {
		text, ok := strings.CutPrefix(c.whole(), c.prefix)
		if !ok {
			text = " " + text
		}
		c.receiver.part(text)
	}
	c.receiver.end()
	c.later = true
}

// endings writes a space for the ending of a word, and nothing if the word is the last one.
type endings struct {
	receiver
	open
	suffix string
	held   string // the text that ended last, from the ending of a word on
	later  bool   // there is such a text
}

func (e *endings) part(text string) { e.open.part(text) }

func (e *endings) end() {
	e.write(" ")
	text := e.whole()
	at := strings.Index(text, e.suffix)
	if at < 0 {
		at = len(text)
	}
	e.receiver.part(text[:at])
	e.held, e.later = text[at:], true
}

// write gives the text on that ended last.
func (e *endings) write(space string) {
	if e.later {
		e.receiver.part(strings.ReplaceAll(e.held, e.suffix, space))
		e.receiver.end()
	}
}

func (e *endings) close() {
	e.write("")
	e.receiver.close()
}

// repetitions leaves out blanks, and texts that are as the one before.
type repetitions struct {
	receiver
	open
	blank, delimiter string
	clean            bool
	last             string
	later            bool // there was a text
}

func (r *repetitions) part(text string) { r.open.part(text) }

func (r *repetitions) end() {
	text := r.whole()
	if r.later && text == r.last {
		return
	}
	r.last, r.later = text, true
	text = strings.ReplaceAll(text, r.blank, "")
	if r.clean {
		text = strings.ReplaceAll(tidied(text), r.delimiter, " ")
	}
	if text != "" {
		r.receiver.part(text)
		r.receiver.end()
	}
}

// tidied closes the gaps that tokens leave in front of punctuation and in contractions.
func tidied(s string) string {
	var out strings.Builder
	done := 0
	for at := strings.IndexByte(s, ' '); at >= 0 && at+1 < len(s); {
		if c := s[at+1]; c == '.' || c == '?' || c == '!' || c == ',' {
			if done == 0 {
				out.Grow(len(s))
			}
			out.WriteString(s[done:at])
			done = at + 1
		}
		next := strings.IndexByte(s[at+1:], ' ')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	if done > 0 {
		out.WriteString(s[done:])
		s = out.String()
	}
	if strings.IndexByte(s, '\'') < 0 {
		return strings.ReplaceAll(s, " do not", " don't")
	}
	for _, p := range [][2]string{{" ' ", "'"}, {" n't", "n't"}, {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}} {
		s = strings.ReplaceAll(s, p[0], p[1])
	}
	return s
}

// Decode returns the text of tokens. Numbers that are no tokens are left out, and special tokens as well unless they
// are wanted. An added token that is looked for in normalised texts is written as the normalizer writes it, and is
// special if that text is the name of a special token. [ErrSteps] is the only error, of a decoder with an expression.
func (t *Tokenizer) Decode(ids []int, special bool) (text string, err error) {
	defer caught(&err)
	return t.decoded(ids, special), nil
}

// decoded is Decode with the panic of an expression that uses up its steps.
func (t *Tokenizer) decoded(ids []int, special bool) string {
	if t.joined != nil {
		if text, ok := t.joined.decode(t, ids, special); ok {
			return text
		}
	}
	return t.decode(ids, special)
}

// decode is what the decoders make of tokens.
func (t *Tokenizer) decode(ids []int, special bool) string {
	var out written
	in := t.receiver(&out, math.MaxInt)
	for _, id := range ids {
		if !t.unwritten(id, special) {
			t.give(in, id)
		}
	}
	in.close()
	return string(out.text)
}

// unwritten reports whether a token is left out of texts.
func (t *Tokenizer) unwritten(id int, special bool) bool {
	return id < 0 || id >= len(t.vocabulary.texts) || t.holes.has(int32(id)) || !special && t.silent.has(int32(id))
}

// written is what decoders have made of tokens.
type written struct{ text []byte }

func (w *written) part(text string) { w.text = append(w.text, text...) }
func (w *written) end()             {}
func (w *written) close()           {}

// receiver is what the texts of tokens are given to.
func (t *Tokenizer) receiver(out *written, most int) receiver {
	var r receiver = out
	for i := len(t.decoder) - 1; i >= 0; i-- {
		r = t.decoder[i](r, most)
	}
	return r
}

// give gives the text of a token.
func (t *Tokenizer) give(in receiver, id int) {
	in.part(t.added.write(int32(id), t.vocabulary.texts[id]))
	in.end()
}

// Text returns the bytes that a token stands for within a text, which may be a part of a character.
func (t *Tokenizer) Text(id int) string {
	s := t.Token(id)
	if s == "" || t.added != nil && t.isAdded(int32(id)) {
		return s
	}
	switch t.writes {
	case writesBytes:
		return levelText(s)
	case writesMarks:
		return markedText(s)
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
