package llm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/sampling"
	"github.com/go-acap/acap/text/tokenizer"
)

// answer is a sequence whose tokens are chosen and read.
type answer struct {
	*cache.Sequence
	ctx     context.Context
	options Options
	sampler *sampling.Sampler

	text *textOut
	out  *queue
	mask *constraint // nil if there is none

	reused int // tokens of the prompt, when the first token of the answer was chosen; one that makes room begins again
}

// answerOf is the answer that a sequence of the engine is part of.
func answerOf(s *cache.Sequence) *answer { return s.Owner.(*answer) }

// next chooses the token after the last one by its scores, which it changes, emits it, and reports whether the sequence
// goes on.
func (s *answer) next(m *Model, l sampling.Logits) bool {
	o := &s.options
	if !l.Finite() {
		return s.fail(errors.New("scores are infinite or not numbers, and no token can be chosen: weights or the file are broken"))
	}
	s.sampler.Adjust(l, s.Tokens, s.Prompt, s.Limit, m.ends)
	if s.mask != nil {
		s.mask.apply(l.Scores)
	}
	if o.IgnoreEnd {
		l.Without(m.ends)
	}
	token := s.sampler.Choose(l, s.Tokens)
	if token < 0 {
		return s.fail(errors.New("no token may come: what options forbid, and the grammar if there is one, leave none"))
	}
	if len(s.Tokens) == s.Prompt {
		s.reused = s.Reused
	}
	piece := Piece{Token: token, PromptTokens: s.Prompt, ReusedTokens: s.reused}
	if o.Logprobs > 0 {
		piece.Logprob, piece.Top = l.Logprobs(token, o.Logprobs-1)
	}
	s.Tokens = append(s.Tokens, token)
	if s.mask != nil {
		s.mask.accept(token)
	}
	if slices.Contains(m.ends, token) && !o.IgnoreEnd {
		return s.finish(piece, "stop")
	}
	var stopped bool
	if piece.Text, stopped = s.text.add(token); s.text.stream.Err() != nil {
		return s.fail(s.text.stream.Err())
	}
	if stopped {
		piece.Stop = s.text.stopped
		piece.Finish = "stop"
		s.out.put(piece)
		return false
	}
	if s.mask != nil && s.mask.ended() {
		return s.finish(piece, "stop")
	}
	if len(s.Tokens) >= s.Limit {
		return s.finish(piece, "length")
	}
	s.out.put(piece)
	return true
}

// fail ends the sequence with an error.
func (s *answer) fail(why error) bool {
	s.out.close(fmt.Errorf("llm: behind %d tokens: %w", len(s.Tokens), why))
	return false
}

// finish emits the last piece, with the text that was held back.
func (s *answer) finish(p Piece, why string) bool {
	p.Text += s.text.rest()
	p.Stop = s.text.stopped
	if err := s.text.stream.Err(); err != nil {
		return s.fail(err)
	}
	p.Finish = why
	s.out.put(p)
	return false
}

// textOut makes text of tokens, and ends it at the first of some texts.
type textOut struct {
	stream *tokenizer.Stream
	stops  []string
	held   string

	stopped string // the stop that has come
}

// add returns the text that is certain behind one more token. It reports whether a stop has come; the text ends in
// front of it.
func (t *textOut) add(token int) (string, bool) {
	t.held += t.stream.Next(token)
	return t.cut()
}

func (t *textOut) cut() (string, bool) {
	first := -1
	for _, stop := range t.stops {
		if i := strings.Index(t.held, stop); i >= 0 && (first < 0 || i < first) {
			first, t.stopped = i, stop
		}
	}
	if first >= 0 {
		text := t.held[:first]
		t.held = ""
		return text, true
	}
	keep := 0 // bytes at the end that may begin a stop
	for _, stop := range t.stops {
		for n := min(len(stop)-1, len(t.held)); n > keep; n-- {
			if t.held[len(t.held)-n:] == stop[:n] {
				keep = n
				break
			}
		}
	}
	text := t.held[:len(t.held)-keep]
	t.held = t.held[len(text):]
	return text, false
}

// rest returns what was held back, at the end.
func (t *textOut) rest() string {
	t.held += t.stream.Flush()
	text, stopped := t.cut()
	if !stopped {
		text += t.held
	}
	t.held = ""
	return text
}

// queue holds pieces until they are read, so that a slow reader holds nobody up.
type queue struct {
	mu     sync.Mutex
	list   []Piece
	given  []Piece // to the reader, until the next take
	err    error
	closed bool
	ready  chan struct{} // has room for one sign
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

func (q *queue) put(p Piece) {
	q.mu.Lock()
	q.list = append(q.list, p)
	q.mu.Unlock()
	q.sign()
}

func (q *queue) close(err error) {
	q.mu.Lock()
	if !q.closed {
		q.closed, q.err = true, err
	}
	q.mu.Unlock()
	q.sign()
}

func (q *queue) sign() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// take returns the pieces that are there, or with none whether the end has come, and its error. The list is the
// reader's up to the next take.
func (q *queue) take() (list []Piece, ended bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return nil, q.closed, q.err
	}
	clear(q.given)
	q.list, q.given = q.given[:0], q.list
	return q.given, false, nil
}
