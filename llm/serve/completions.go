package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/text/tokenizer"
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
	each    int // answers to a prompt
	started time.Time
	form    form

	mu     sync.Mutex // of w, while answers are streamed
	first  sync.Once
	prompt int // tokens of the prompts
	reused int
	made   int // tokens of the answers
}

// form is how answers are written: those of a chat, or those behind a prompt.
type form interface {
	object(stream bool) string
	// whole is a choice with all of an answer.
	whole(index int, a *result) map[string]any
	// part is a choice with a piece of an answer; nil writes nothing.
	part(index int, r *result, p *llm.Piece, text string) map[string]any
}

// result is an answer while it is being generated.
type result struct {
	text   string
	pieces []llm.Piece
	finish string
	calls  []any // of tools
	begun  bool
	held   string // text that may be a call
}

func newID(kind string) string {
	return kind + "-" + rand.Text()
}

// run generates all answers, and writes them.
func (j *job) run(ctx context.Context) error {
	if j.q.Stream {
		return j.stream(ctx)
	}
	results := make([]*result, len(j.prompts)*j.each)
	err := j.all(ctx, func(ctx context.Context, i int, prompt []int, o llm.Options) error {
		r := new(result)
		results[i] = r
		return j.generate(ctx, i, prompt, o, r, func(llm.Piece) error { return nil })
	})
	if err != nil {
		return err
	}
	var choices []any
	for i, r := range results {
		choices = append(choices, j.form.whole(i, r))
	}
	answer(j.w, http.StatusOK, j.envelope(false, choices, true))
	return nil
}

// all runs the answers beside each other. The first error ends all of them.
func (j *job) all(ctx context.Context, one func(ctx context.Context, i int, prompt []int, o llm.Options) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n := len(j.prompts) * j.each
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		o := j.o
		if o.Seed != 0 {
			o.Seed += uint64(i)
		}
		wait.Go(func() {
			if errs[i] = one(ctx, i, j.prompts[i/j.each], o); errs[i] != nil {
				cancel()
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// generate collects answer i, and gives its pieces to f. A prompt is counted once, for the first of its answers.
func (j *job) generate(ctx context.Context, i int, prompt []int, o llm.Options, r *result, f func(llm.Piece) error) error {
	for p, err := range j.s.model.GenerateTokens(ctx, prompt, o) {
		if err != nil {
			return err
		}
		j.first.Do(func() { j.s.metrics.first(time.Since(j.started)) })
		r.pieces = append(r.pieces, p)
		r.text += p.Text
		j.mu.Lock()
		j.made++
		if p.Finish != "" {
			r.finish = p.Finish
		}
		if p.Finish != "" && i%j.each == 0 {
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

// envelope is what stands around choices.
func (j *job) envelope(stream bool, choices []any, usage bool) map[string]any {
	m := map[string]any{"id": j.id, "object": j.form.object(stream), "created": j.created, "model": j.s.options.Name, "choices": choices}
	if usage {
		m["usage"] = map[string]any{"prompt_tokens": j.prompt, "completion_tokens": j.made, "total_tokens": j.prompt + j.made,
			"prompt_tokens_details": map[string]any{"cached_tokens": j.reused}}
	}
	return m
}

// stream writes answers as they are generated, as events.
func (j *job) stream(ctx context.Context) error {
	control, begun := http.NewResponseController(j.w), false
	flush := func() error {
		if err := control.Flush(); err != nil {
			return errors.Join(errGone, err)
		}
		return nil
	}
	write := func(value any) error { // j.mu is held
		if !begun {
			begun = true
			h := j.w.Header()
			h.Set("Content-Type", "text/event-stream; charset=utf-8")
			h.Set("Cache-Control", "no-cache")
			h.Set("X-Accel-Buffering", "no")
			j.w.WriteHeader(http.StatusOK)
		}
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		if _, err = fmt.Fprintf(j.w, "data: %s\n\n", data); err != nil {
			return errors.Join(errGone, err)
		}
		return flush()
	}
	err := j.all(ctx, func(ctx context.Context, i int, prompt []int, o llm.Options) error {
		r := new(result)
		return j.generate(ctx, i, prompt, o, r, func(p llm.Piece) error {
			j.mu.Lock()
			defer j.mu.Unlock()
			choice := j.form.part(i, r, &p, p.Text)
			if choice == nil {
				return nil
			}
			return write(j.envelope(true, []any{choice}, false))
		})
	})
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil {
		if !begun || errors.Is(err, errGone) || ctx.Err() != nil && errors.Is(err, context.Canceled) {
			return err
		}
		j.s.metrics.failed.Add(1)
		_ = write(map[string]any{"error": map[string]any{"message": err.Error(), "type": "server_error"}})
		return nil
	}
	if j.q.StreamOptions.Usage {
		if err := write(j.envelope(true, []any{}, true)); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprint(j.w, "data: [DONE]\n\n"); err != nil {
		return errors.Join(errGone, err)
	}
	return flush()
}

// reason is why the answer ended, in the words of the interface.
func (r *result) reason() string {
	if r.finish == "stop" && len(r.calls) > 0 {
		return "tool_calls"
	}
	return r.finish
}

// plainForm writes what was generated behind a prompt.
type plainForm struct {
	s        *Server
	logprobs bool
	echo     []string // prompts in front of their answers; nil for none
	each     int
}

func (f *plainForm) object(bool) string { return "text_completion" }

func (f *plainForm) choice(i int, text string, finish any, pieces []llm.Piece) map[string]any {
	c := map[string]any{"index": i, "text": text, "finish_reason": finish, "logprobs": nil}
	if f.logprobs {
		var tokens []string
		var values []float64
		var top []map[string]float64
		for _, p := range pieces {
			tokens, values = append(tokens, f.name(p.Token)), append(values, p.Logprob)
			m := map[string]float64{}
			for _, t := range p.Top {
				m[f.name(t.Token)] = t.Logprob
			}
			top = append(top, m)
		}
		c["logprobs"] = map[string]any{"tokens": tokens, "token_logprobs": values, "top_logprobs": top}
	}
	return c
}

// name is the text of a token. Bytes that are no characters are written in hexadecimal, as OpenAI's interface does.
func (f *plainForm) name(token int) string {
	text := f.s.model.Tokenizer().Text(token)
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	b.WriteString("bytes:")
	for i := range len(text) {
		fmt.Fprintf(&b, `\x%02x`, text[i])
	}
	return b.String()
}

func (f *plainForm) whole(i int, r *result) map[string]any {
	text := r.text
	if f.echo != nil {
		text = f.echo[i/f.each] + text
	}
	return f.choice(i, text, r.reason(), r.pieces)
}

func (f *plainForm) part(i int, r *result, p *llm.Piece, text string) map[string]any {
	var finish any
	if p.Finish != "" {
		finish = r.reason()
	}
	if f.echo != nil && !r.begun {
		text = f.echo[i/f.each] + text
	}
	r.begun = true
	if text == "" && finish == nil && !f.logprobs {
		return nil
	}
	return f.choice(i, text, finish, []llm.Piece{*p})
}

// complete answers /v1/completions.
func (s *Server) complete(w http.ResponseWriter, r *http.Request) error {
	var q struct {
		sampling
		Prompt   json.RawMessage `json:"prompt"`
		Logprobs *int            `json:"logprobs"`
		Echo     bool            `json:"echo"`
		Suffix   string          `json:"suffix"`
		BestOf   *int            `json:"best_of"`
	}
	if err := decode(r, &q); err != nil {
		return err
	}
	if q.Suffix != "" {
		return bad("suffix", "suffix is not supported")
	}
	if q.BestOf != nil && *q.BestOf > 1 {
		return bad("best_of", "best_of is not supported")
	}
	o, err := s.answerOptions(&q.sampling)
	if err != nil {
		return err
	}
	if q.Logprobs != nil {
		if *q.Logprobs < 0 || *q.Logprobs > 20 {
			return bad("logprobs", "logprobs is %d, want 0 to 20", *q.Logprobs)
		}
		if q.Echo {
			return bad("echo", "logprobs are those of the answer; echo with logprobs is not supported")
		}
		o.Logprobs = *q.Logprobs + 1
	}
	prompts, texts, err := s.prompts(q.Prompt, "prompt")
	if err != nil {
		return err
	}
	f := &plainForm{s: s, logprobs: q.Logprobs != nil}
	if q.Echo {
		f.echo = texts
	}
	return s.start(w, r, &q.sampling, o, prompts, f, "cmpl", func(each int) { f.each = each })
}

// start checks a job and runs it.
func (s *Server) start(w http.ResponseWriter, r *http.Request, q *sampling, o llm.Options, prompts [][]int, f form, kind string, each func(int)) error {
	n, err := q.answers()
	if err != nil {
		return err
	}
	each(n)
	for _, p := range prompts {
		if len(p) == 0 {
			return bad("", "the prompt is empty")
		}
		if limit := s.model.Limit(); len(p) >= limit {
			return bad("", "the prompt has %d tokens, which leaves no room for an answer in a context of %d", len(p), limit)
		}
	}
	j := &job{s: s, w: w, id: newID(kind), created: time.Now().Unix(), q: q, o: o, prompts: prompts, each: n, started: time.Now(), form: f}
	return j.run(r.Context())
}

// mostPrompts bounds the prompts, and the texts of embeddings, of a request.
const mostPrompts = 2048

// prompts reads a text, texts, tokens, or lists of tokens.
func (s *Server) prompts(data json.RawMessage, param string) (list [][]int, texts []string, err error) {
	var value any
	if len(data) > 0 {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if err := d.Decode(&value); err != nil {
			return nil, nil, bad(param, "%v", err)
		}
	}
	parts, many := value.([]any)
	if _, numbers := numbersOf(parts); !many || numbers && len(parts) > 0 {
		parts = []any{value}
	}
	if len(parts) < 1 || len(parts) > mostPrompts {
		return nil, nil, bad(param, "%s has %d parts, want 1 to %d", param, len(parts), mostPrompts)
	}
	for _, part := range parts {
		text, ok := part.(string)
		if ok {
			list, texts = append(list, s.model.Tokenizer().Encode(text, tokenizer.EncodeOptions{Special: true})), append(texts, text)
			continue
		}
		within, _ := part.([]any)
		ids, ok := numbersOf(within)
		if !ok || within == nil {
			return nil, nil, bad(param, "%s is neither text nor tokens, nor a list of these", param)
		}
		for _, id := range ids {
			if id < 0 || id >= s.model.Tokenizer().Size() {
				return nil, nil, bad(param, "%s has the token %d, there are %d", param, id, s.model.Tokenizer().Size())
			}
		}
		list, texts = append(list, ids), append(texts, s.model.Tokenizer().Decode(ids, false))
	}
	return list, texts, nil
}

// numbersOf are whole numbers, if all of a list are some.
func numbersOf(list []any) ([]int, bool) {
	out := make([]int, 0, len(list))
	for _, v := range list {
		number, ok := v.(json.Number)
		if !ok {
			return nil, false
		}
		n, err := strconv.Atoi(number.String())
		if err != nil {
			return nil, false
		}
		out = append(out, n)
	}
	return out, true
}

// embed answers /v1/embeddings.
func (s *Server) embed(w http.ResponseWriter, r *http.Request) error {
	var q struct {
		Model      string          `json:"model"`
		Input      json.RawMessage `json:"input"`
		Format     string          `json:"encoding_format"`
		Dimensions *int            `json:"dimensions"`
	}
	if err := decode(r, &q); err != nil {
		return err
	}
	if q.Format != "" && q.Format != "float" && q.Format != "base64" {
		return bad("encoding_format", "encoding_format is %q; there are float and base64", q.Format)
	}
	if q.Dimensions != nil {
		return bad("dimensions", "dimensions is not supported; vectors are as wide as the model")
	}
	prompts, _, err := s.prompts(q.Input, "input")
	if err != nil {
		return err
	}
	var data []any
	count := 0
	for i, p := range prompts {
		if err := r.Context().Err(); err != nil {
			return err
		}
		if len(p) == 0 || len(p) > s.model.Limit() {
			return bad("input", "part %d of input has %d tokens, want 1 to %d", i, len(p), s.model.Limit())
		}
		v, err := s.model.EmbedTokens(p)
		if err != nil {
			return err
		}
		count += len(p)
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": encoded(v, q.Format)})
	}
	answer(w, http.StatusOK, map[string]any{"object": "list", "data": data, "model": s.options.Name,
		"usage": map[string]int{"prompt_tokens": count, "total_tokens": count}})
	return nil
}
