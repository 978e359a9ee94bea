package llm

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/network"
	"github.com/go-acap/acap/llm/sampling"
	"github.com/go-acap/acap/llm/schedule"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// ErrClosed is the error of what is asked of a model that was closed.
var ErrClosed = errors.New("llm: the model is closed")

// TooLongError is the error of a prompt, with the answer that was asked for, that the cache of keys and values has no
// room for.
type TooLongError struct {
	Tokens, Cache int
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("llm: a sequence of up to %d tokens does not fit in a cache of %d (LoadOptions.CacheTokens)", e.Tokens, e.Cache)
}

// engine computes sequences, many at once. Each turn of the engine's goroutine computes pieces of prompts, or the next
// token of all sequences whose prompts are done. A sequence that is alone and has one token to compute is left to its
// reader: to wake a goroutine for each token takes longer than all else that a token costs beside its program.
type engine struct {
	m      *Model
	turn   sync.Mutex             // held by the goroutine that computes; it owns the cache and the sequences that run
	left   atomic.Pointer[answer] // to its reader; nil if there is none
	memory *network.Memory
	draft  *network.Memory
	one    [1]bool // whether a sequence that is alone goes on

	mu sync.Mutex // of the sequences that wait, and of stats
	schedule.Batch
	closed bool
	wake   chan struct{}
	done   chan struct{}
}

func newEngine(m *Model) *engine {
	e := &engine{m: m, Batch: schedule.New(m.options.CacheTokens, m.options.Sequences, m.network.Spans...), wake: make(chan struct{}, 1), done: make(chan struct{})}
	go e.work()
	return e
}

// add puts a sequence behind those that wait.
func (e *engine) add(s *answer) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return ErrClosed
	}
	shorter := s.options.Shorter || s.options.MaxTokens == 0
	for shorter && !e.Holds(s.Sequence) && (cache.PagesFor(s.Limit)-1)*cache.PageTokens > s.Prompt { // as many tokens as there is room for
		s.Limit = (cache.PagesFor(s.Limit) - 1) * cache.PageTokens
	}
	if !e.Holds(s.Sequence) {
		return &TooLongError{s.Limit, e.Places - cache.PageTokens}
	}
	e.Waiting = append(e.Waiting, s.Sequence)
	e.recall()
	return nil
}

// recall has the goroutine of the engine compute what is left to a reader.
func (e *engine) recall() {
	e.left.Store(nil)
	e.sign()
}

func (e *engine) sign() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

func (e *engine) close() {
	e.mu.Lock()
	e.closed = true
	e.recall()
	e.mu.Unlock()
	<-e.done
}

// snapshot returns the counts.
func (e *engine) snapshot() Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.Stats
}

// work is the goroutine of the engine.
func (e *engine) work() {
	defer close(e.done)
	for {
		e.turn.Lock()
		closed := e.begin()
		one := e.alone()
		e.left.Store(one)
		computes := !closed && one == nil && len(e.Running) > 0
		if computes {
			e.proceed()
		}
		e.turn.Unlock()
		switch {
		case closed:
			return
		case one != nil:
			one.out.sign()
			<-e.wake
		case !computes:
			<-e.wake
		}
	}
}

// alone returns the sequence that is to be left to its reader; nil if there is none.
func (e *engine) alone() *answer {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed || len(e.Waiting) > 0 || len(e.Running) != 1 || len(e.Running[0].Tokens)-e.Running[0].Cached != 1 {
		return nil
	}
	return answerOf(e.Running[0])
}

// take waits for pieces of a sequence, and returns none at the end. While the sequence is left to its reader, take
// computes the pieces.
func (e *engine) take(s *answer) ([]Piece, error) {
	for {
		list, ended, err := s.out.take()
		if len(list) > 0 || ended {
			return list, err
		}
		if e.left.Load() == s && s.ctx.Err() == nil && e.turn.TryLock() {
			e.read(s)
			continue
		}
		select {
		case <-s.out.ready:
		case <-s.ctx.Done():
			return nil, s.ctx.Err()
		}
	}
}

// read computes a token of a sequence that is left to its reader, who has the turn and gives it back.
func (e *engine) read(s *answer) {
	defer e.turn.Unlock()
	if e.left.Load() != s { // called back while the reader took the turn
		return
	}
	trace.Fresh(e.proceed)
	if e.alone() != s {
		e.recall()
	}
}

// fail ends all sequences that run: what the failed pass was writing is lost.
func (e *engine) fail(err error) {
	for _, s := range e.Running {
		answerOf(s).out.close(err)
	}
	e.Running, e.memory, e.draft = nil, nil, nil
	e.Empty()
}

// begin ends sequences that were cancelled, and begins those that wait. It reports whether the engine is to end.
func (e *engine) begin() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Running = slices.DeleteFunc(e.Running, func(s *cache.Sequence) bool { return e.cancelled(s) })
	e.Waiting = slices.DeleteFunc(e.Waiting, func(s *cache.Sequence) bool { return e.cancelled(s) })
	if e.closed {
		for _, s := range e.Waiting {
			answerOf(s).out.close(ErrClosed)
		}
		for _, s := range e.Running {
			answerOf(s).out.close(ErrClosed)
		}
		e.Waiting, e.Running = nil, nil
	}
	for _, s := range e.Admit() {
		answerOf(s).out.close(&TooLongError{len(s.Tokens), e.Places - cache.PageTokens})
	}
	return e.closed
}

// cancelled ends a sequence whose context has ended.
func (e *engine) cancelled(s *cache.Sequence) bool {
	a := answerOf(s)
	err := a.ctx.Err()
	if err != nil {
		s.Leave(e.Pools)
		a.out.close(err)
	}
	return err != nil
}

// proceed computes what comes next, or ends what cannot be computed.
func (e *engine) proceed() {
	if err := e.step(); err != nil {
		e.fail(err)
	}
}

// step computes what comes next: tokens of sequences and pieces of prompts.
func (e *engine) step() error {
	list, tokens := e.Next()
	if e.m.draft != nil && tokens == 1 && len(list) == 1 {
		return e.speculate(list[0].Sequence)
	}
	return e.run(list, tokens)
}

// run computes pieces, the first of which have one token, and the next token of each sequence whose last token is in
// them.
func (e *engine) run(list []schedule.Piece, tokens int) error {
	e.mu.Lock()
	list, tokens = e.Seated(list, tokens)
	e.mu.Unlock()
	if len(list) == 0 {
		return nil
	}
	for _, p := range list[tokens:] {
		if n := p.From + p.Count - p.Sequence.Drafted; e.m.draft != nil && n > 0 {
			if _, err := e.compute(e.m.draft.network, &e.draft, []schedule.Piece{{Sequence: p.Sequence, From: p.Sequence.Drafted, Count: n}}, false); err != nil {
				return err
			}
			p.Sequence.Drafted += n
		}
	}
	l, err := e.compute(e.m.network, &e.memory, list, false)
	if err != nil {
		return err
	}
	for _, p := range list {
		p.Sequence.Advance(e.Pools, p.Count)
	}
	e.emit(list, l)
	return nil
}

// emit chooses the next token of each sequence whose last token was computed, by the scores of its row.
func (e *engine) emit(list []schedule.Piece, l sampling.Logits) {
	goes, generated := e.goes(list, l)
	e.mu.Lock()
	e.Stats.GeneratedTokens += generated
	e.mu.Unlock()
	for i, p := range list {
		if !goes[i] {
			e.finish(p.Sequence)
		}
	}
}

// goes chooses the tokens at once. It returns whether each sequence goes on, and the number of tokens.
func (e *engine) goes(list []schedule.Piece, l sampling.Logits) (goes []bool, generated int) {
	if len(list) == 1 && list[0].Last() { // in the memory of the one before
		e.one[0] = answerOf(list[0].Sequence).next(e.m, l.Row(0, e.m.Vocabulary))
		return e.one[:], 1
	}
	var wait sync.WaitGroup
	goes = make([]bool, len(list))
	for i, p := range list {
		if goes[i] = !p.Last(); goes[i] {
			continue
		}
		row := l.Row(generated, e.m.Vocabulary)
		next := func() { goes[i] = answerOf(p.Sequence).next(e.m, row) }
		generated++
		if i < len(list)-1 {
			wait.Go(next)
		} else {
			next()
		}
	}
	wait.Wait()
	return goes, generated
}

// finish ends a sequence whose answer is complete. The reader of the answer finds the sequence counted no more.
func (e *engine) finish(s *cache.Sequence) {
	e.mu.Lock()
	e.End(s)
	e.Count()
	e.mu.Unlock()
	answerOf(s).out.close(nil)
}

// compute runs pieces of sequences through a network. It returns the scores of the last row of each, or of all rows,
// which the next pass of the network replaces.
func (e *engine) compute(net *network.Network, mem **network.Memory, list []schedule.Piece, all bool) (l sampling.Logits, err error) {
	failed := tensor.Try(func() {
		of := network.Numbers{Pass: e.PassOf(list)}
		if !all {
			of.Picks = schedule.Picks(list, of.Pass, e.Most)
		}
		l, err = net.Compute(mem, e.Pools, list, of)
	})
	e.mu.Lock()
	e.Stats.Passes++
	e.mu.Unlock()
	return l, errors.Join(err, failed)
}
