package reply

import (
	"encoding/json"
	"iter"
	"strings"
)

// Options say how an answer is read.
type Options struct {
	Tools  []json.RawMessage // that the model may call, as OpenAI's interface describes them; what is no JSON names no tool, and without tools calls are text
	Prompt string            // whose end says whether the answer begins with reasoning; empty for an answer that a grammar restricts
	Raw    bool              // reasoning is text, as the model wrote the reasoning, with what begins it in the prompt
}

// Reader reads an answer piece by piece.
type Reader struct {
	in   *input
	next func() (Part, bool)
	stop func()
}

// Reader returns what reads an answer. It must be closed.
func (s Syntax) Reader(o Options) *Reader {
	in := &input{types: typesOf(o.Tools), raw: o.Raw}
	for _, f := range s.forms {
		if f.message || len(o.Tools) > 0 {
			in.forms = append(in.forms, f)
		}
	}
	r := &Reader{in: in}
	r.next, r.stop = iter.Pull(func(yield func(Part) bool) {
		in.yield = yield
		if o.Raw {
			in.say(opened(s.thoughts, o.Prompt))
		} else {
			in.think(s.thoughts, o.Prompt)
		}
		if len(o.Tools) > 0 {
			in.alone()
		}
		in.messages()
		yield(in.part)
	})
	return r
}

// Next takes more text of the answer, and returns what became known. Text that may be the beginning of a form is known
// when more text has come. Behind [Reader.End] or [Reader.Close] nothing becomes known.
func (r *Reader) Next(text string) Part {
	r.in.text += text
	p, _ := r.next()
	return p
}

// End returns what is known at the end of the answer.
func (r *Reader) End() Part {
	r.in.ended = true
	p, _ := r.next()
	return p
}

// Close ends the reader.
func (r *Reader) Close() { r.stop() }

// input is the text of an answer up to here. A form's reader waits for more text where it needs more.
type input struct {
	text  string // that was not taken
	ended bool   // no text follows
	forms []form
	types argumentTypes
	raw   bool
	calls int

	part  Part // what became known since the last piece
	yield func(Part) bool
}

// more waits for more text. It reports false at the end of the answer.
func (in *input) more() bool {
	if in.ended {
		return false
	}
	known := in.part
	in.part = Part{}
	if !in.yield(known) {
		in.ended = true
	}
	return true
}

// take takes n bytes.
func (in *input) take(n int) (text string) {
	text, in.text = in.text[:n], in.text[n:]
	return text
}

func (in *input) say(text string)    { in.part.Text += text }
func (in *input) reason(text string) { in.part.Reasoning += text }

// call begins a call of a tool, with the first arguments.
func (in *input) call(name, arguments string) {
	in.part.Calls = append(in.part.Calls, Call{Index: in.calls, Name: name, Arguments: arguments})
	in.calls++
}

// argue adds to the arguments of the call.
func (in *input) argue(text string) {
	if text != "" {
		in.part.Add(Part{Calls: []Call{{Index: in.calls - 1, Arguments: text}}})
	}
}

// find waits for the first of some marks behind a place, and returns where it is; ok is false where the answer has
// ended without one.
func (in *input) find(from int, marks ...string) (at int, mark string, ok bool) {
	for {
		if at, mark, ok = first(in.text, from, marks); ok || !in.more() {
			return at, mark, ok
		}
	}
}

// begins waits until it is known whether a mark stands at a place.
func (in *input) begins(at int, mark string) bool {
	for len(in.text)-at < len(mark) && strings.HasPrefix(mark, in.text[at:]) && in.more() {
	}
	return strings.HasPrefix(in.text[at:], mark)
}

// until hands on the text up to the first of some marks, as it comes, and takes the text, without the mark, which is
// empty at the end of the answer.
func (in *input) until(hand func(text string), marks ...string) (mark string) {
	for {
		at, mark, ok := first(in.text, 0, marks)
		if !ok {
			at = len(in.text)
			if !in.ended {
				at -= mayEnd(in.text, marks)
			}
		}
		if hand(in.take(at)); ok || !in.more() {
			return mark
		}
	}
}

// blanks waits for what is no blank behind a place, and returns where it is.
func (in *input) blanks(at int) int {
	for {
		at = len(in.text) - len(strings.TrimLeft(in.text[at:], blanks))
		if at < len(in.text) || !in.more() {
			return at
		}
	}
}

// past takes blanks and a mark, if the mark stands behind the blanks.
func (in *input) past(mark string) {
	if at := in.blanks(0); in.begins(at, mark) {
		in.take(at + len(mark))
	}
}

const blanks = " \t\r\n"

// messages reads text and forms to the end of the answer.
func (in *input) messages() {
	var begin []string
	readers := map[string]func(*input) bool{}
	for _, f := range in.forms {
		for _, b := range f.begin {
			begin = append(begin, b)
			readers[b] = f.read
		}
	}
	for {
		mark := in.until(in.say, begin...)
		if mark == "" {
			return
		}
		if !readers[mark](in) { // is no call, and text up to the next beginning of one
			in.say(in.take(1))
		}
	}
}

// first is the first of some marks behind a place. No mark begins with another one.
func first(text string, from int, marks []string) (at int, mark string, ok bool) {
	at = len(text)
	for _, m := range marks {
		n := strings.Index(text[from:], m)
		if n += from; n >= from && n < at {
			at, mark, ok = n, m, true
		}
	}
	return at, mark, ok
}

// mayEnd is how many bytes at the end of a text may be the beginning of one of some marks.
func mayEnd(text string, marks []string) (most int) {
	for _, mark := range marks {
		for n := min(len(mark)-1, len(text)); n > most; n-- {
			if strings.HasSuffix(text, mark[:n]) {
				most = n
			}
		}
	}
	return most
}
