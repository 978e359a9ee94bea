package serve

import "time"

// times are the moments of an answer.
type times struct {
	started time.Time // the request
	first   time.Time // the first token
	last    time.Time // the last token so far
}

// see notes that a token has come.
func (t *times) see() {
	if t.last = time.Now(); t.first.IsZero() {
		t.first = t.last
	}
}

// timings are, in llama-server's form, the times of the prompt, up to the first token of the answer, and of the tokens
// behind the first one. The answer has a token.
func (r *result) timings() map[string]any {
	p := r.pieces[len(r.pieces)-1]
	m := map[string]any{"cache_n": p.ReusedTokens}
	add := func(name string, n, steps int, t time.Duration) {
		ms := float64(t) / 1e6
		each, second := 0.0, 0.0
		if steps > 0 && ms > 0 {
			each, second = ms/float64(steps), 1e3*float64(steps)/ms
		}
		m[name+"_n"], m[name+"_ms"], m[name+"_per_token_ms"], m[name+"_per_second"] = n, ms, each, second
	}
	read := p.PromptTokens - p.ReusedTokens
	add("prompt", read, read, r.first.Sub(r.started))
	add("predicted", len(r.pieces), len(r.pieces)-1, r.last.Sub(r.first))
	return m
}

// timed adds the times of an answer to an object, if the answer is the only one of the request and has a token.
func (j *job) timed(m map[string]any, r *result) map[string]any {
	if len(j.prompts)*j.each == 1 && len(r.pieces) > 0 {
		m["timings"] = r.timings()
	}
	return m
}
