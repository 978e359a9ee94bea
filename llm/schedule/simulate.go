package schedule

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-acap/acap/llm/cache"
)

// Request is a request of a client of a simulated server.
type Request struct {
	Arrival float64 `json:"arrival"` // seconds
	Prompt  int     `json:"prompt"`  // tokens
	Answer  int     `json:"answer"`  // tokens
	// Shared is the tokens at the beginning of the prompt that all requests of a group have in common.
	Shared int `json:"shared,omitempty"`
	Group  int `json:"group,omitempty"`
}

// Served is a request with the times of its tokens.
type Served struct {
	Request
	Tokens  []float64 `json:"tokens,omitempty"`  // seconds; none of a request that was refused
	Reused  int       `json:"reused,omitempty"`  // tokens of the prompt that were in the cache
	Refused string    `json:"refused,omitempty"` // why there is no answer
}

// Simulation is a simulated server: a model, or copies of it, with given times of passes.
type Simulation struct {
	Context     int // most tokens of a sequence
	CacheTokens int // of all sequences of a copy, rounded up to pages of 32; 0 means Context, EachContext the context of each sequence
	Sequences   int // most at once; 0 for 1
	Copies      int // of the model, each on an array of its own; a request goes to the one with fewest. 0 for 1

	// Cost is the cost of a pass, in seconds and joules; all is set if the scores of all tokens are wanted.
	Cost func(p Pass, all bool) (seconds, joules float64, err error)
	// Draft is the same of a model that guesses DraftTokens tokens at once; each is right with a probability of
	// Accepted. Nil stands for no such model.
	Draft       func(p Pass, all bool) (seconds, joules float64, err error)
	DraftTokens int
	Accepted    float64
	Seed        uint64
}

// Traffic is the results of requests.
type Traffic struct {
	Served  []Served  `json:"served"` // in the order of their arrival
	Seconds float64   `json:"seconds"`
	Joules  float64   `json:"joules_estimate"`
	Busy    []float64 `json:"busy_seconds"` // of each copy
	Stats   Stats     `json:"stats"`        // of all copies
	Waited  int       `json:"most_waiting"` // requests in front of a copy
}

// Simulate serves requests on paper. Sequences are batched, read in pieces, paged, shared and preempted as by a model
// that was loaded; a pass takes what Cost says. The same requests give the same result. Settings and requests out of
// range are errors, and so are the errors of Cost.
func (o Simulation) Simulate(ctx context.Context, requests []Request) (*Traffic, error) {
	o.Sequences, o.Copies = max(o.Sequences, 1), max(o.Copies, 1)
	o.CacheTokens = CacheTokens(o.CacheTokens, o.Context, o.Sequences)
	if o.Context < 2 || o.CacheTokens < 1 || o.Cost == nil || o.Draft != nil && (o.DraftTokens < 1 || !(o.Accepted >= 0 && o.Accepted <= 1)) {
		return nil, fmt.Errorf("llm: a server with a context of %d tokens, a cache of %d, and %d guesses, each right with a probability of %g; "+
			"want at least 2, 1 and 1, a probability of 0 to 1, and a Cost", o.Context, o.CacheTokens, o.DraftTokens, o.Accepted)
	}
	t := &traffic{Simulation: o, random: rand.New(rand.NewPCG(o.Seed, 1))}
	for range o.Copies {
		t.copies = append(t.copies, &served{Batch: New(o.CacheTokens, o.Sequences, cache.Span{})})
	}
	for i, r := range requests {
		if !(r.Arrival >= 0 && r.Arrival < math.Inf(1)) || r.Prompt < 1 || r.Answer < 1 || r.Shared < 0 || r.Shared > r.Prompt || r.Group < 0 {
			return nil, fmt.Errorf("llm: request %d: %+v", i, r)
		}
		t.out.Served = append(t.out.Served, Served{Request: r})
	}
	slices.SortStableFunc(t.out.Served, func(a, b Served) int { return cmp.Compare(a.Arrival, b.Arrival) })
	if err := t.run(ctx); err != nil {
		return nil, err
	}
	for _, c := range t.copies {
		t.out.Busy = append(t.out.Busy, c.busy)
		t.out.Stats.add(c.Stats)
	}
	return &t.out, nil
}

// traffic is a simulation that runs.
type traffic struct {
	Simulation
	random *rand.Rand
	copies []*served
	out    Traffic
	now    float64
}

// served is a copy of the model. It computes what ends at a time, if there is an end of it.
type served struct {
	Batch
	until float64
	then  func() // what the end of the pass does; nil if the copy has nothing to compute
	busy  float64
	of    map[*cache.Sequence]int // numbers of requests
}

// run goes from event to event: a request comes, or a copy has computed.
func (t *traffic) run(ctx context.Context) error {
	next := 0
	for {
		at := math.Inf(1)
		if next < len(t.out.Served) {
			at = t.out.Served[next].Arrival
		}
		for _, c := range t.copies {
			if c.then == nil {
				if err := t.begin(c); err != nil {
					return err
				}
			}
			if c.then != nil {
				at = min(at, c.until)
			}
		}
		if math.IsInf(at, 1) {
			t.out.Seconds = t.now
			return ctx.Err()
		}
		if next%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t.now = at
		for _, c := range t.copies {
			if c.then != nil && c.until <= at {
				then := c.then
				c.then = nil
				then()
			}
		}
		for ; next < len(t.out.Served) && t.out.Served[next].Arrival <= at; next++ {
			t.arrive(next)
		}
	}
}

// arrive gives a request to the copy with the fewest.
func (t *traffic) arrive(number int) {
	r := &t.out.Served[number]
	c := slices.MinFunc(t.copies, func(a, b *served) int {
		return cmp.Compare(len(a.Waiting)+len(a.Running), len(b.Waiting)+len(b.Running))
	})
	s := &cache.Sequence{Prompt: r.Prompt, Limit: min(t.Context, r.Prompt+r.Answer)}
	switch {
	case r.Prompt >= t.Context:
		r.Refused = fmt.Sprintf("a prompt of %d tokens leaves no room in a context of %d", r.Prompt, t.Context)
	case !c.Holds(s):
		r.Refused = fmt.Sprintf("a sequence of up to %d tokens does not fit in a cache of %d", s.Limit, t.CacheTokens)
	}
	if r.Refused != "" {
		return
	}
	for i := range r.Prompt {
		token := -1 - (number<<24 | i) // nobody else's
		if i < r.Shared {
			token = r.Group<<24 | i
		}
		s.Tokens = append(s.Tokens, token)
	}
	if c.of == nil {
		c.of = map[*cache.Sequence]int{}
	}
	c.of[s] = number
	c.Waiting = append(c.Waiting, s)
	t.out.Waited = max(t.out.Waited, len(c.Waiting))
}

// begin starts the next pass of a copy, or the passes of a draft and the one that checks them.
func (t *traffic) begin(c *served) error {
	for _, s := range c.Admit() {
		t.out.Served[c.of[s]].Refused = fmt.Sprintf("the cache of %d tokens has no room for a prompt of %d", t.CacheTokens, len(s.Tokens))
		delete(c.of, s)
	}
	if len(c.Running) == 0 {
		return nil
	}
	w := work{traffic: t, served: c}
	if list, tokens := c.Next(); t.Draft != nil && tokens == 1 && len(list) == 1 {
		w.speculate(list[0].Sequence)
	} else {
		w.run(list, tokens)
	}
	if w.err != nil {
		return w.err
	}
	c.until = t.now + w.seconds
	c.busy += w.seconds
	t.out.Joules += w.joules
	if c.then == nil { // all were preempted
		c.then = func() {}
	}
	return nil
}

// work is a pass of a copy, and its cost.
type work struct {
	*traffic
	*served
	seconds, joules float64
	err             error
}

// pass adds a pass of the model or of the draft.
func (w *work) pass(cost func(Pass, bool) (float64, float64, error), list []Piece, all bool) {
	if w.err != nil {
		return
	}
	p := w.PassOf(list)
	seconds, joules, err := cost(p, all)
	if err == nil && !(seconds >= 0 && seconds < math.Inf(1)) {
		err = fmt.Errorf("llm: a pass of %+v takes %g seconds", p, seconds)
	}
	w.seconds, w.joules, w.err = w.seconds+seconds, w.joules+joules, err
	w.Stats.Passes++
}

// run computes pieces, the first of which have one token, and the tokens behind them.
func (w *work) run(list []Piece, tokens int) {
	list, tokens = w.Seated(list, tokens)
	if len(list) == 0 {
		return
	}
	for _, p := range list[tokens:] {
		if n := p.From + p.Count - p.Sequence.Drafted; w.Draft != nil && n > 0 {
			w.pass(w.Draft, []Piece{{p.Sequence, p.Sequence.Drafted, n}}, false)
			p.Sequence.Drafted += n
		}
	}
	w.pass(w.Cost, list, false)
	w.then = func() {
		for _, p := range list {
			p.Sequence.Advance(w.Pools, p.Count)
		}
		for _, p := range list {
			if p.Last() {
				w.emit(p.Sequence)
			}
		}
	}
}

// speculate guesses tokens and checks them.
func (w *work) speculate(s *cache.Sequence) {
	guesses := w.Guesses(s, w.DraftTokens)
	if guesses == 0 {
		w.run([]Piece{{s, s.Cached, 1}}, 1)
		return
	}
	for k := range guesses {
		n := len(s.Tokens) + k - s.Drafted
		w.pass(w.Draft, []Piece{{s, s.Drafted, n}}, false)
		s.Drafted += n
	}
	w.pass(w.Cost, []Piece{{s, s.Cached, guesses + 1}}, true)
	right := 0
	for right < guesses && w.random.Float64() < w.Accepted {
		right++
	}
	w.Stats.DraftedTokens += guesses
	w.then = func() {
		done := 0
		for goes := true; goes && done <= right; done++ {
			s.Advance(w.Pools, 1)
			goes = w.emit(s)
		}
		w.Stats.AcceptedTokens += min(done, right)
		s.Drafted = min(s.Drafted, s.Cached)
	}
}

// emit notes a token of a sequence, and reports whether it goes on.
func (w *work) emit(s *cache.Sequence) bool {
	number := w.of[s]
	r := &w.out.Served[number]
	r.Tokens = append(r.Tokens, w.now)
	r.Reused = max(r.Reused, s.Reused)
	s.Tokens = append(s.Tokens, -1-(number<<24|len(s.Tokens)))
	w.Stats.GeneratedTokens++
	if len(s.Tokens) < s.Limit {
		return true
	}
	w.End(s)
	delete(w.of, s)
	return false
}
