package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/reply"
	samplers "github.com/go-acap/acap/llm/sampling"
)

// job is a request for answers to one prompt or several.
type job struct {
	s       *Server
	w       http.ResponseWriter
	id      string
	created int64
	q       *sampling
	o       llm.Options
	prompts [][]int
	each    int  // answers to a prompt
	tries   int  // answers to choose these from
	empty   bool // answers have no tokens
	started time.Time
	form    form

	mu     sync.Mutex // of w, while answers are streamed
	first  sync.Once
	prompt int // tokens of the prompts
	reused int
	made   int // tokens of the answers
}

// form is how answers are written: answers of a chat, or completions of a prompt.
type form interface {
	object(stream bool) string
	// whole is a choice with all of an answer.
	whole(index int, a *result) map[string]any
	// read takes a piece to what is known of an answer.
	read(r *result, p *llm.Piece)
	// part is a choice with a piece of an answer, which was read; nil writes nothing.
	part(index int, r *result, p *llm.Piece) map[string]any
}

// result is an answer while it is being generated.
type result struct {
	reply.Part
	times
	pieces []llm.Piece
	finish string
	ids    []string // of the calls

	begun  bool
	offset int // characters of the prompt and of what was written behind it
	reply  *llm.Reply
	known  reply.Part // by the last piece
	held   string     // the end of the answer so far, in the prompt, which may begin a form and is not known yet
}

// close ends the reading of the answer.
func (r *result) close() {
	if r.reply != nil {
		r.reply.Close()
	}
}

func newID(kind string) string {
	return kind + "-" + rand.Text()
}

// run generates all answers, and writes them.
func (j *job) run(ctx context.Context) error {
	if j.q.Stream {
		return j.stream(ctx)
	}
	results := make([]*result, len(j.prompts)*j.tries)
	err := j.all(ctx, func(ctx context.Context, i int, prompt []int, o llm.Options) error {
		r := new(result)
		results[i] = r
		return j.generate(ctx, i, prompt, o, r, func(llm.Piece) error { return nil })
	})
	if err != nil {
		return err
	}
	var choices []any
	best := j.best(results)
	for i, r := range best {
		choices = append(choices, j.form.whole(i, r))
	}
	answer(j.w, http.StatusOK, j.timed(j.envelope(false, choices, true), best[0]))
	return nil
}

// bestOf has a number of answers generated. The client gets the best answers.
func (j *job) bestOf(tries int) error {
	switch {
	case tries < j.each || tries > mostAnswers:
		return bad("best_of", "best_of is %d, want %d to %d; n says that %d are wanted", tries, j.each, mostAnswers, j.each)
	case tries > j.each && j.q.Stream:
		return bad("best_of", "best_of is %d and n is %d; the best answers are known at the end, and are not streamed", tries, j.each)
	}
	if j.tries = tries; tries > j.each { // the best ones are known by their probabilities
		j.o.Logprobs = max(j.o.Logprobs, 1)
	}
	return nil
}

// best returns the wanted number of answers to each prompt: answers whose tokens have the highest probabilities, as a
// mean of logarithms.
func (j *job) best(results []*result) []*result {
	if j.tries == j.each {
		return results
	}
	mean := func(r *result) float64 {
		sum := 0.0
		for _, p := range r.pieces {
			sum += p.Logprob
		}
		return sum / float64(max(len(r.pieces), 1))
	}
	var list []*result
	for tries := range slices.Chunk(results, j.tries) {
		slices.SortStableFunc(tries, func(a, b *result) int { return cmp.Compare(mean(b), mean(a)) })
		list = append(list, tries[:j.each]...)
	}
	return list
}

// all runs the answers beside each other. An error ends all of them, and is returned without the errors of the others,
// which it cancelled.
func (j *job) all(ctx context.Context, one func(ctx context.Context, i int, prompt []int, o llm.Options) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n := len(j.prompts) * j.tries
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		o := j.o
		if o.Seed != 0 {
			o.Seed += uint64(i)
		}
		wait.Go(func() {
			if errs[i] = one(ctx, i, j.prompts[i/j.tries], o); errs[i] != nil {
				cancel()
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return errors.Join(errs...)
}

// generate collects answer i, and gives its pieces to f. A prompt is counted once, for the first of its answers.
func (j *job) generate(ctx context.Context, i int, prompt []int, o llm.Options, r *result, f func(llm.Piece) error) error {
	if j.empty {
		r.finish = "length"
		j.mu.Lock()
		if i%j.tries == 0 {
			j.prompt += len(prompt)
		}
		j.mu.Unlock()
		return nil
	}
	defer r.close()
	r.started = j.started
	for p, err := range j.s.model.GenerateTokens(ctx, prompt, o) {
		if err != nil {
			return j.told(err)
		}
		j.first.Do(func() { j.s.metrics.first(time.Since(j.started)) })
		r.see()
		r.pieces = append(r.pieces, p)
		j.form.read(r, &p)
		j.mu.Lock()
		j.made++
		if p.Finish != "" {
			r.finish = p.Finish
		}
		if len(r.pieces) == 1 && i%j.tries == 0 {
			j.prompt += p.PromptTokens
			j.reused += p.ReusedTokens
		}
		j.mu.Unlock()
		if err := f(p); err != nil {
			return err
		}
	}
	return nil
}

// told is an error in the words of the request.
func (j *job) told(err error) error {
	var long *llm.TooLongError
	if errors.As(err, new(*samplers.BreakerError)) {
		return bad("dry_sequence_breakers", "%v", err)
	}
	if !errors.As(err, &long) {
		return err
	}
	param := "" // the prompt has no room, without an answer
	if j.q.MaxTokens != nil {
		param = j.q.limited()
	}
	return tooLong(param, "a prompt and its answer have up to %d tokens; the cache has room for %d", long.Tokens, long.Cache)
}

// fingerprint names the program that answers, as llama-server names its build.
var fingerprint = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return "acap-" + info.Main.Version
	}
	return "acap"
})

// envelope is the object around choices.
func (j *job) envelope(stream bool, choices []any, usage bool) map[string]any {
	m := map[string]any{"id": j.id, "object": j.form.object(stream), "created": j.created, "model": j.s.options.Name, "choices": choices,
		"system_fingerprint": fingerprint()}
	if stream && j.q.StreamOptions.Usage {
		m["usage"] = nil // but in the last event
	}
	if usage {
		m["usage"] = map[string]any{"prompt_tokens": j.prompt, "completion_tokens": j.made, "total_tokens": j.prompt + j.made,
			"prompt_tokens_details": map[string]any{"cached_tokens": j.reused}}
	}
	return m
}

// stream writes answers as they are generated, as events.
func (j *job) stream(ctx context.Context) error {
	out := events{w: j.w} // used while j.mu is held
	err := j.all(ctx, func(ctx context.Context, i int, prompt []int, o llm.Options) error {
		r := new(result)
		return j.generate(ctx, i, prompt, o, r, func(p llm.Piece) error {
			j.mu.Lock()
			defer j.mu.Unlock()
			choice := j.form.part(i, r, &p)
			if choice == nil {
				return nil
			}
			event := j.envelope(true, []any{choice}, false)
			if j.q.Timings || p.Finish != "" {
				event = j.timed(event, r)
			}
			return out.send("", event)
		})
	})
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil {
		if !out.begun || gone(ctx, err) {
			return err
		}
		_ = out.send("", j.s.failure(err).body())
		return nil
	}
	if j.q.StreamOptions.Usage {
		if err := out.send("", j.envelope(true, []any{}, true)); err != nil {
			return err
		}
	}
	return out.done()
}

// reason is why the answer ended, in the words of the interface.
func (r *result) reason() string {
	if r.finish == "stop" && len(r.Calls) > 0 {
		return "tool_calls"
	}
	return r.finish
}

// job makes a job without prompts, which a form writes.
func (s *Server) job(w http.ResponseWriter, q *sampling, o llm.Options, kind string) (*job, error) {
	n, err := q.answers()
	return &job{s: s, w: w, id: newID(kind), created: time.Now().Unix(), q: q, o: o, each: n, tries: n, started: time.Now()}, err
}

// fit says whether the context has room for prompts and for an answer of the given tokens behind each.
func (s *Server) fit(prompts [][]int, param string, answer int) error {
	for _, p := range prompts {
		switch limit := s.model.Limit(); {
		case len(p) == 0:
			return bad(param, "the prompt is empty")
		case len(p) > limit:
			return tooLong(param, "the prompt has %d tokens, more than a context of %d", len(p), limit)
		case len(p)+answer > limit:
			return tooLong(param, "the prompt has %d tokens, which leaves no room for an answer in a context of %d", len(p), limit)
		}
	}
	return nil
}
