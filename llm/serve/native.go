package serve

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-acap/acap/llm"
)

// nativeRequest is the body of a request of llama.cpp's own interface.
type nativeRequest struct {
	sampling
	Prompt        json.RawMessage `json:"prompt"`
	Probabilities int             `json:"n_probs"`
	After         bool            `json:"post_sampling_probs"`
	Tokens        bool            `json:"return_tokens"`
	Fields        []string        `json:"response_fields"`
	Time          int             `json:"t_max_predict_ms"` // after which a line is the last one
	PromptTime    any             `json:"t_max_prompt_ms"`  // which llama-server does not look at
	Indent        int             `json:"n_indent"`         // least blanks in front of each line but the first
}

// native answers /completion.
func (s *Server) native(w http.ResponseWriter, r *http.Request) error {
	var q nativeRequest
	if err := decode(r, &q); err != nil {
		return err
	}
	prompts, _, err := s.prompts(q.Prompt, "prompt", s.plain)
	if err != nil {
		return err
	}
	return s.answerNative(w, r, &q, prompts)
}

// answerNative answers prompts. One answer is an object, and several are a list.
func (s *Server) answerNative(w http.ResponseWriter, r *http.Request, q *nativeRequest, prompts [][]int) error {
	o, err := s.nativeOptions(q)
	if err == nil {
		err = s.fit(prompts, "prompt", 1)
	}
	if err != nil {
		return err
	}
	j, err := s.job(w, &q.sampling, o, "cmpl")
	if err != nil {
		return err
	}
	j.prompts, j.form = prompts, &plainForm{s: s}
	a := &nativeAnswer{j: j, q: q, out: events{w: w}}
	list := make([]any, len(prompts)*j.tries)
	err = j.all(r.Context(), func(ctx context.Context, i int, prompt []int, o llm.Options) error {
		one := &nativeResult{answer: a, index: i, prompt: prompt}
		if err := j.generate(ctx, i, prompt, o, &one.result, one.take); err != nil && !errors.Is(err, errEnough) {
			return err
		}
		list[i] = chosen(one.whole(), q.Fields)
		return nil
	})
	switch {
	case err != nil && a.out.begun && !gone(r.Context(), err):
		_ = a.out.send("", s.failure(err).body())
		return nil
	case err != nil:
		return err
	case q.Stream:
		for _, one := range list {
			if err := a.out.send("", one); err != nil {
				return err
			}
		}
	case len(list) == 1:
		answer(w, http.StatusOK, list[0])
	default:
		answer(w, http.StatusOK, list)
	}
	return nil
}

// nativeOptions makes the options of an answer, and refuses what is not done.
func (s *Server) nativeOptions(q *nativeRequest) (llm.Options, error) {
	switch {
	case q.StreamOptions.Usage:
		return llm.Options{}, bad("stream_options", "stream_options are of /v1/completions; the last event of this stream has all counts")
	case q.After:
		return llm.Options{}, bad("post_sampling_probs", "post_sampling_probs is true; probabilities are those of the model, before samplers")
	case q.Time < 0:
		return llm.Options{}, bad("t_max_predict_ms", "t_max_predict_ms is %d, want at least 0, where 0 means no limit", q.Time)
	case q.Indent < 0:
		return llm.Options{}, bad("n_indent", "n_indent is %d, want at least 0", q.Indent)
	case q.Probabilities < 0 || q.Probabilities > 20:
		return llm.Options{}, bad("n_probs", "n_probs is %d, want 0 to 20", q.Probabilities)
	}
	o, err := s.answerOptions(&q.sampling)
	if err != nil {
		return o, err
	}
	if q.Probabilities > 0 {
		o.Logprobs = q.Probabilities + 1
	}
	return o, nil
}

// samplerOrder is the names of samplers in the order in which they work, with what leaves each one out.
var samplerOrder = []struct {
	name string
	off  func(o *llm.Options)
}{
	{"penalties", func(o *llm.Options) { o.RepeatPenalty, o.FrequencyPenalty, o.PresencePenalty = 0, 0, 0 }},
	{"dry", func(o *llm.Options) { o.DRYMultiplier = 0 }},
	{"top_n_sigma", func(o *llm.Options) { o.TopNSigma = 0 }},
	{"top_k", func(o *llm.Options) { o.TopK = 0 }},
	{"typ_p", func(o *llm.Options) { o.Typical = 0 }},
	{"top_p", func(o *llm.Options) { o.TopP = 0 }},
	{"min_p", func(o *llm.Options) { o.MinP = 0 }},
	{"xtc", func(o *llm.Options) { o.XTCProbability = 0 }},
	{"infill", func(o *llm.Options) { o.Infill = false }}, // which works where it is asked for
	{"temperature", func(o *llm.Options) { o.Temperature, o.TemperatureRange = 1, 0 }},
}

// only leaves out the samplers that a list does not have. No list leaves out none.
func only(o *llm.Options, list []string) error {
	if list == nil {
		return nil
	}
	o.Infill = true
	at := 0
	for _, s := range samplerOrder {
		if at < len(list) && list[at] == s.name {
			at++
		} else {
			s.off(o)
		}
	}
	if at == len(list) {
		return nil
	}
	var names []string
	for _, s := range samplerOrder {
		names = append(names, s.name)
	}
	if slices.Contains(names, list[at]) {
		return bad("samplers", "samplers has %q behind %q; the order is %s", list[at], list[at-1], strings.Join(names, ", "))
	}
	return bad("samplers", "samplers has %q; there are %s", list[at], strings.Join(names, ", "))
}

// settings are the options of an answer by llama.cpp's names.
func settings(o *llm.Options, q *nativeRequest) map[string]any {
	or := func(v, otherwise float64) float64 {
		if v == 0 {
			return otherwise
		}
		return v
	}
	biases := []any{}
	for _, token := range slices.Sorted(maps.Keys(o.Bias)) {
		var bias any // null for a token that never comes
		if v := o.Bias[token]; !math.IsInf(v, -1) {
			bias = v
		}
		biases = append(biases, map[string]any{"token": token, "bias": bias})
	}
	sigma, most := or(o.TopNSigma, -1), o.MaxTokens
	if most == 0 {
		most = -1
	}
	names := []string{}
	for _, s := range samplerOrder {
		if q.Samplers == nil && s.name != "infill" || slices.Contains(q.Samplers, s.name) {
			names = append(names, s.name)
		}
	}
	return map[string]any{"seed": uint32(o.Seed - 1), "temperature": o.Temperature, "dynatemp_range": o.TemperatureRange, "dynatemp_exponent": or(o.TemperatureExponent, 1),
		"top_k": max(o.TopK, 0), "top_p": or(o.TopP, 1), "min_p": o.MinP, "top_n_sigma": sigma, "xtc_probability": o.XTCProbability, "xtc_threshold": o.XTCThreshold,
		"typical_p": or(o.Typical, 1), "repeat_last_n": int(or(float64(o.RepeatLast), 64)), "repeat_penalty": or(o.RepeatPenalty, 1),
		"presence_penalty": o.PresencePenalty, "frequency_penalty": o.FrequencyPenalty, "dry_multiplier": o.DRYMultiplier, "dry_base": or(o.DRYBase, 1.75),
		"dry_allowed_length": int(or(float64(o.DRYAllowed), 2)), "dry_penalty_last_n": int(or(float64(o.DRYLast), -1)), "mirostat": o.Mirostat,
		"mirostat_tau": or(o.MirostatTau, 5), "mirostat_eta": or(o.MirostatEta, 0.1), "max_tokens": most, "n_predict": most, "ignore_eos": o.IgnoreEnd,
		"stream": q.Stream, "n_probs": q.Probabilities, "stop": append([]string{}, o.Stop...), "logit_bias": biases, "grammar": q.Grammar, "samplers": names,
		"timings_per_token": q.Timings}
}

// nativeAnswer is the answers to a request.
type nativeAnswer struct {
	j   *job
	q   *nativeRequest
	out events // of a stream; used while j.mu is held, and at the end
}

// nativeResult is an answer while it is being generated.
type nativeResult struct {
	result
	answer *nativeAnswer
	index  int
	prompt []int
}

// errEnough ends an answer at a place that its request describes.
var errEnough = errors.New("the answer is long enough")

// enough cuts an answer that has a line with too few blanks in front, and reports whether the last line was the last
// one that there is time for.
func (r *nativeResult) enough(p *llm.Piece) bool {
	a := r.answer.q
	if at := strings.Index(r.Text, "\n") + 1; at > 0 && a.Indent > 0 {
		for line := range strings.SplitAfterSeq(r.Text[at:], "\n") {
			blank := len(line) - len(strings.TrimLeft(line, " \t"))
			if blank < min(a.Indent, len(line)) {
				r.Text = r.Text[:at+blank]
				return true
			}
			at += len(line)
		}
	}
	return a.Time > 0 && strings.Contains(p.Text, "\n") && r.last.Sub(r.first) > time.Duration(a.Time)*time.Millisecond
}

// take takes a piece, and writes it to a stream.
func (r *nativeResult) take(p llm.Piece) (err error) {
	a, length := r.answer, len(r.Text)
	if r.enough(&p) {
		if r.finish, err = "length", errEnough; len(r.Text) < length {
			p.Text = p.Text[:max(len(p.Text)-(length-len(r.Text)), 0)]
		}
	}
	if !a.q.Stream || p.Text == "" && a.q.Probabilities == 0 {
		return err
	}
	m := map[string]any{"index": r.index, "content": p.Text, "tokens": []int{p.Token}, "stop": false, "id_slot": -1, "tokens_predicted": len(r.pieces),
		"tokens_evaluated": len(r.prompt)}
	if a.q.Probabilities > 0 {
		m["completion_probabilities"] = a.j.s.likelihoods([]llm.Piece{p})
	}
	if a.q.Timings {
		m["timings"] = r.timings()
	}
	a.j.mu.Lock()
	defer a.j.mu.Unlock()
	return errors.Join(err, a.out.send("", chosen(m, a.q.Fields)))
}

// whole is the answer at its end. That of a stream leaves out what the stream had.
func (r *nativeResult) whole() map[string]any {
	a, text, tokens := r.answer, r.Text, []int{}
	if a.q.Tokens && !a.q.Stream {
		for _, p := range r.pieces {
			tokens = append(tokens, p.Token)
		}
	}
	if a.q.Stream {
		text = ""
	}
	end, stop := "limit", r.pieces[len(r.pieces)-1].Stop
	switch {
	case stop != "":
		end = "word"
	case r.finish == "stop":
		end = "eos"
	}
	var prompt strings.Builder
	for _, id := range r.prompt {
		prompt.WriteString(a.j.s.model.Tokenizer().Text(id))
	}
	made := len(r.pieces)
	m := map[string]any{"index": r.index, "content": text, "tokens": tokens, "id_slot": -1, "stop": true, "model": a.j.s.options.Name, "tokens_predicted": made,
		"tokens_evaluated": len(r.prompt), "generation_settings": settings(&a.j.o, a.q), "prompt": prompt.String(), "has_new_line": strings.Contains(r.Text, "\n"),
		"truncated": false, "stop_type": end, "stopping_word": stop, "tokens_cached": len(r.prompt) + made - 1, "timings": r.timings()}
	if a.q.Probabilities > 0 && !a.q.Stream {
		m["completion_probabilities"] = a.j.s.likelihoods(r.pieces)
	}
	return m
}

// chosen are the members of an answer that a request asks for, all without a request. A name such as timings/prompt_n
// is of a member within another one.
func chosen(m map[string]any, fields []string) map[string]any {
	if len(fields) == 0 {
		return m
	}
	out := map[string]any{}
	for _, field := range fields {
		var value any = m
		for _, name := range strings.Split(field, "/") {
			within, _ := value.(map[string]any)
			value = within[name]
		}
		if value != nil {
			out[field] = value
		}
	}
	return out
}
