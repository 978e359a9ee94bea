package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/go-acap/acap/llm"
)

// plainForm writes what was generated behind a prompt.
type plainForm struct {
	s        *Server
	logprobs bool
	each     int           // answers to a prompt
	echo     []string      // prompts in front of their answers; nil for none
	prompts  [][]int       // tokens of these prompts
	scored   [][]llm.Piece // those behind the first one with their probabilities; nil without logprobs
	length   []int         // characters of the prompts
}

func (f *plainForm) object(bool) string { return "text_completion" }

// likelihoods are the logarithms of the probabilities of tokens, and where in the text each one begins. The text begins
// with the prompt's text.
type likelihoods struct {
	Tokens  []string             `json:"tokens"`
	Values  []*float64           `json:"token_logprobs"`
	Top     []map[string]float64 `json:"top_logprobs"`
	Offsets []int                `json:"text_offset"`
}

// add writes a token, with which the text goes on behind offset characters, and returns where the text ends. The token
// is among the most likely ones in any case.
func (l *likelihoods) add(f *plainForm, p *llm.Piece, text string, offset int) int {
	value := max(p.Logprob, least)
	top := map[string]float64{f.name(p.Token): value}
	for _, t := range p.Top {
		top[f.name(t.Token)] = max(t.Logprob, least)
	}
	l.Tokens, l.Values, l.Top = append(l.Tokens, f.name(p.Token)), append(l.Values, &value), append(l.Top, top)
	own := f.s.model.Tokenizer().Text(p.Token) // bytes of earlier tokens may stand in front of it
	if before, ok := strings.CutSuffix(text, own); ok {
		l.Offsets = append(l.Offsets, offset+utf8.RuneCountInString(before))
	} else {
		l.Offsets = append(l.Offsets, offset)
	}
	return offset + utf8.RuneCountInString(text)
}

// prompt writes the tokens of a prompt. Nothing is in front of the first one, which has no probability.
func (l *likelihoods) prompt(f *plainForm, i int) {
	stream, offset := f.s.model.Tokenizer().Stream(), 0
	for k, token := range f.prompts[i] {
		text := stream.Next(token)
		if k > 0 {
			offset = l.add(f, &f.scored[i][k-1], text, offset)
			continue
		}
		l.Tokens, l.Values, l.Top, l.Offsets = []string{f.name(token)}, []*float64{nil}, []map[string]float64{nil}, []int{0}
		offset = utf8.RuneCountInString(text)
	}
}

// choice writes pieces of answer i, and in front of the first ones the prompt where that is asked for.
func (f *plainForm) choice(i int, r *result, text string, finish any, pieces []llm.Piece) map[string]any {
	prompt, begins := i/f.each, !r.begun
	r.begun = true
	if begins && f.echo != nil {
		text = f.echo[prompt] + text
	}
	c := map[string]any{"index": i, "text": text, "finish_reason": finish, "logprobs": nil}
	if f.logprobs {
		l := &likelihoods{Tokens: []string{}, Values: []*float64{}, Top: []map[string]float64{}, Offsets: []int{}}
		if begins {
			r.offset = f.length[prompt]
			if f.echo != nil {
				l.prompt(f, prompt)
			}
		}
		for k := range pieces {
			r.offset = l.add(f, &pieces[k], pieces[k].Text, r.offset)
		}
		c["logprobs"] = l
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
	return f.choice(i, r, r.Text, r.reason(), r.pieces)
}

func (f *plainForm) read(r *result, p *llm.Piece) { r.Text += p.Text }

func (f *plainForm) part(i int, r *result, p *llm.Piece) map[string]any {
	var finish any
	if p.Finish != "" {
		finish = r.reason()
	}
	if p.Text == "" && finish == nil && !f.logprobs && (r.begun || f.echo == nil) {
		return nil
	}
	return f.choice(i, r, p.Text, finish, []llm.Piece{*p})
}

// score is [llm.Model.Likelihoods], of one prompt at a time: the rows of a whole prompt are in memory, which no cache
// bounds.
func (s *Server) score(ctx context.Context, prompt []int, most int) ([]llm.Piece, error) {
	select {
	case s.scoring <- struct{}{}:
		defer func() { <-s.scoring }()
		return s.model.Likelihoods(ctx, prompt, most)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
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
	none := q.Echo && !q.Stream && q.MaxTokens != nil && *q.MaxTokens == 0 // the prompt alone is asked for
	shortest := 1
	if none {
		q.MaxTokens, shortest = nil, 0
	}
	o, err := s.answerOptions(&q.sampling)
	if err != nil {
		return err
	}
	if q.Logprobs != nil {
		if *q.Logprobs < 0 || *q.Logprobs > 20 {
			return bad("logprobs", "logprobs is %d, want 0 to 20", *q.Logprobs)
		}
		o.Logprobs = *q.Logprobs + 1
	}
	j, err := s.job(w, &q.sampling, o, "cmpl")
	if err != nil {
		return err
	}
	if j.empty = none; q.BestOf != nil {
		if err := j.bestOf(*q.BestOf); err != nil {
			return err
		}
	}
	prompts, texts, err := s.prompts(q.Prompt, "prompt", s.plain)
	if err == nil {
		err = s.fit(prompts, "prompt", shortest)
	}
	if err != nil {
		return err
	}
	f := &plainForm{s: s, logprobs: q.Logprobs != nil, each: j.each, prompts: prompts}
	for _, text := range texts {
		f.length = append(f.length, utf8.RuneCountInString(text))
	}
	if q.Echo {
		f.echo = texts
	}
	if q.Echo && f.logprobs {
		for _, p := range prompts {
			scored, err := s.score(r.Context(), p, *q.Logprobs)
			if err != nil {
				return err
			}
			f.scored = append(f.scored, scored)
		}
	}
	j.prompts, j.form = prompts, f
	return j.run(r.Context())
}
