package llm

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/llm/sampling"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// ErrClosed is the error of what is asked of a model that was closed.
var ErrClosed = errors.New("llm: the model is closed")

// TooLongError is the error of a prompt, with the answer that was asked for, that the cache of keys and values has no room for.
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
	turn   sync.Mutex               // held by the goroutine that computes; it owns the cache and the sequences that run
	left   atomic.Pointer[sequence] // to its reader; nil if there is none
	memory *memory
	draft  *memory
	tokens []int   // of the rows of a pass
	at     []int   // their positions
	one    [1]bool // whether a sequence that is alone goes on

	mu sync.Mutex // of the sequences that wait, and of stats
	batch
	closed bool
	wake   chan struct{}
	done   chan struct{}
}

// Stats counts what a model has done since it was loaded.
type Stats struct {
	Running, Waiting              int // sequences
	Pages, FreePages              int // of the cache; free ones may hold what a prompt can have again
	Prompts                       int // sequences that were begun
	PromptTokens, GeneratedTokens int
	ReusedTokens                  int // of prompts, whose keys and values were there already
	Passes                        int // of the whole model
	DraftedTokens, AcceptedTokens int // by the draft model
	Preempted                     int // sequences that had to wait for pages of others
}

func newEngine(m *Model) *engine {
	e := &engine{m: m, batch: newBatch(m.options.CacheTokens, m.options.Sequences, m.seen...), wake: make(chan struct{}, 1), done: make(chan struct{})}
	go e.work()
	return e
}

// add puts a sequence behind those that wait.
func (e *engine) add(s *sequence) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return ErrClosed
	}
	shorter := s.options.Shorter || s.options.MaxTokens == 0
	for shorter && !e.holds(s) && (pagesFor(s.limit)-1)*pageTokens > s.prompt { // as many tokens as there is room for
		s.limit = (pagesFor(s.limit) - 1) * pageTokens
	}
	if !e.holds(s) {
		return &TooLongError{s.limit, e.places - pageTokens}
	}
	e.waiting = append(e.waiting, s)
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
	return e.stats
}

// work is the goroutine of the engine.
func (e *engine) work() {
	defer close(e.done)
	for {
		e.turn.Lock()
		closed := e.begin()
		one := e.alone()
		e.left.Store(one)
		computes := !closed && one == nil && len(e.running) > 0
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
func (e *engine) alone() *sequence {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed || len(e.waiting) > 0 || len(e.running) != 1 || len(e.running[0].tokens)-e.running[0].cached != 1 {
		return nil
	}
	return e.running[0]
}

// take waits for pieces of a sequence, and returns none at the end. While the sequence is left to its reader, take
// computes the pieces.
func (e *engine) take(s *sequence) ([]Piece, error) {
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
func (e *engine) read(s *sequence) {
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
	for _, s := range e.running {
		s.out.close(err)
	}
	e.running, e.memory, e.draft = nil, nil, nil
	e.empty()
}

// begin ends sequences that were cancelled, and begins those that wait. It reports whether the engine is to end.
func (e *engine) begin() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running = slices.DeleteFunc(e.running, func(s *sequence) bool { return e.cancelled(s) })
	e.waiting = slices.DeleteFunc(e.waiting, func(s *sequence) bool { return e.cancelled(s) })
	if e.closed {
		for _, s := range e.waiting {
			s.out.close(ErrClosed)
		}
		for _, s := range e.running {
			s.out.close(ErrClosed)
		}
		e.waiting, e.running = nil, nil
	}
	for _, s := range e.admit() {
		s.out.close(&TooLongError{len(s.tokens), e.places - pageTokens})
	}
	return e.closed
}

// cancelled ends a sequence whose context has ended.
func (e *engine) cancelled(s *sequence) bool {
	err := s.ctx.Err()
	if err != nil {
		s.leave(e.pools)
		s.out.close(err)
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
	list, tokens := e.next()
	if e.m.draft != nil && tokens == 1 && len(list) == 1 {
		return e.speculate(list[0].s)
	}
	return e.run(list, tokens)
}

// run computes pieces, the first of which have one token, and the next token of each sequence whose last token is in them.
func (e *engine) run(list []piece, tokens int) error {
	e.mu.Lock()
	list, tokens = e.seated(list, tokens)
	e.mu.Unlock()
	if len(list) == 0 {
		return nil
	}
	for _, p := range list[tokens:] {
		if n := p.from + p.count - p.s.drafted; e.m.draft != nil && n > 0 {
			if _, err := e.compute(e.m.draft.network, &e.draft, []piece{{p.s, p.s.drafted, n}}, false); err != nil {
				return err
			}
			p.s.drafted += n
		}
	}
	l, err := e.compute(e.m.network, &e.memory, list, false)
	if err != nil {
		return err
	}
	for _, p := range list {
		p.s.advance(e.pools, p.count)
	}
	e.emit(list, l)
	return nil
}

// emit chooses the next token of each sequence whose last token was computed, by the scores of its row.
func (e *engine) emit(list []piece, l sampling.Logits) {
	goes, generated := e.goes(list, l)
	e.mu.Lock()
	e.stats.GeneratedTokens += generated
	e.mu.Unlock()
	for i, p := range list {
		if !goes[i] {
			e.finish(p.s)
		}
	}
}

// goes chooses the tokens at once. It returns whether each sequence goes on, and the number of tokens.
func (e *engine) goes(list []piece, l sampling.Logits) (goes []bool, generated int) {
	if len(list) == 1 && list[0].last() { // in the memory of the one before
		e.one[0] = list[0].s.next(e.m, l.Row(0, e.m.Vocabulary))
		return e.one[:], 1
	}
	var wait sync.WaitGroup
	goes = make([]bool, len(list))
	for i, p := range list {
		if goes[i] = !p.last(); goes[i] {
			continue
		}
		row := l.Row(generated, e.m.Vocabulary)
		next := func() { goes[i] = p.s.next(e.m, row) }
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
func (e *engine) finish(s *sequence) {
	e.mu.Lock()
	e.end(s)
	e.count()
	e.mu.Unlock()
	s.out.close(nil)
}

// bucket is the number of rows that a pass is filled up to.
func bucket(n, least, most int) int {
	return min(max(1<<bits.Len(uint(max(n, 1)-1)), least), max(most, n))
}

// compute runs pieces of sequences through a network. It returns the scores of the last row of each, or of all rows, which the next pass
// of the network replaces.
func (e *engine) compute(net *network, mem **memory, list []piece, all bool) (l sampling.Logits, err error) {
	failed := tensor.Try(func() {
		if *mem == nil {
			*mem, err = newMemory(net, e.pools)
		}
		var s *pass
		if err == nil {
			s, err = e.pass(net, *mem, list, all)
		}
		if err == nil {
			l, err = net.steps.run(s)
		}
	})
	e.mu.Lock()
	e.stats.Passes++
	e.mu.Unlock()
	return l, errors.Join(err, failed)
}

// leastSeen is the shortest cache that a pass looks at.
const leastSeen = 256

// pass makes the inputs of a pass. Rows that fill it up are written to page 0, and see one place of it.
func (e *engine) pass(net *network, mem *memory, list []piece, all bool) (*pass, error) {
	n := numbers{Pass: e.numbers(list)}
	if !all {
		n.picks = picks(list, n.Pass, e.most)
	}
	s := net.steps.pass(net, mem, n)
	rows, row, picked, each := s.rows(), 0, 0, s.seen/pageTokens
	e.tokens, e.at = filled(e.tokens, rows), filled(e.at, rows)
	for i := range s.pools {
		clear(s.pools[i].places.host)
		clear(s.pools[i].table.host)
	}
	clear(s.pick.host)
	for _, p := range list {
		for k := range p.count {
			position := p.from + k
			e.tokens[row], e.at[row] = p.s.tokens[position], position
			for i := range s.pools {
				t := &p.s.tables[i]
				if e.pools[i].span.state {
					at := row / s.tokens
					s.pools[i].table.host[at], s.pools[i].places.host[at] = t.slot(p.from-1), t.slot(p.from+p.count-1)
					continue
				}
				s.pools[i].places.host[row] = t.place(position)
				if s.tokens == 1 || k == 0 {
					t.write(s.pools[i].table.host[row/s.tokens*each:], pagesFor(p.from+p.count))
				}
			}
			row++
		}
		if n.picks > 0 && p.last() {
			s.pick.host[picked] = int64(row - 1)
			picked++
		}
	}
	return s, s.write(e.tokens, e.at)
}

// filled returns a list of so many zeros, in the memory of another if that suffices.
func filled(list []int, count int) []int {
	list = slices.Grow(list[:0], count)[:count]
	clear(list)
	return list
}
