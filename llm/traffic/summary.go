package traffic

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/llm"
)

// Percentiles are of some times, in seconds: half, nine in ten and so on are at most that long.
type Percentiles struct {
	Count int     `json:"count"`
	Mean  float64 `json:"mean"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P95   float64 `json:"p95"`
	P99   float64 `json:"p99"`
	Most  float64 `json:"most"`
}

// percentiles sorts times. A percentile is the least of the times that this percentage of the times does not exceed.
func percentiles(times []float64) Percentiles {
	p := Percentiles{Count: len(times)}
	if len(times) == 0 {
		return p
	}
	slices.Sort(times)
	at := func(share float64) float64 { return times[max(0, int(math.Ceil(share*float64(len(times))))-1)] }
	for _, t := range times {
		p.Mean += t / float64(len(times))
	}
	p.P50, p.P90, p.P95, p.P99, p.Most = at(0.5), at(0.9), at(0.95), at(0.99), times[len(times)-1]
	return p
}

// Summary is a server's service as clients see it.
type Summary struct {
	Requests int `json:"requests"`
	Refused  int `json:"refused"`
	// First is from a request to its first token, Between from token to token, Whole from a request to its last token.
	First           Percentiles `json:"first_token_seconds"`
	Between         Percentiles `json:"between_tokens_seconds"`
	Whole           Percentiles `json:"answer_seconds"`
	Seconds         float64     `json:"seconds"` // up to the last token
	TokensPerSecond float64     `json:"tokens_per_second"`
	JoulesPerToken  float64     `json:"joules_per_token_estimate"`
	Busy            float64     `json:"busy"`         // share of the time, of all copies
	Waited          int         `json:"most_waiting"` // requests in front of a copy
	Stats           llm.Stats   `json:"stats"`
	// Refusal is why the first request was refused that got no answer; empty if all were answered.
	Refusal string `json:"-"`
}

// Times returns the times, in seconds, whose percentiles [Summarize] takes: up to the first tokens, between tokens, and
// up to the last tokens.
func Times(t *llm.Traffic) (first, between, whole []float64) {
	for i := range t.Served {
		s := &t.Served[i]
		for k, at := range s.Tokens {
			if k == 0 {
				first = append(first, at-s.Arrival)
			} else {
				between = append(between, at-s.Tokens[k-1])
			}
		}
		if n := len(s.Tokens); n > 0 {
			whole = append(whole, s.Tokens[n-1]-s.Arrival)
		}
	}
	return first, between, whole
}

// Summarize sums up what became of requests.
func Summarize(t *llm.Traffic) *Summary {
	first, between, whole := Times(t)
	s := &Summary{Requests: len(t.Served), Refused: len(t.Served) - len(first), First: percentiles(first), Between: percentiles(between),
		Whole: percentiles(whole), Seconds: t.Seconds, Waited: t.Waited, Stats: t.Stats}
	if i := slices.IndexFunc(t.Served, func(s llm.Served) bool { return s.Refused != "" }); i >= 0 {
		s.Refusal = t.Served[i].Refused
	}
	tokens := float64(len(first) + len(between))
	if tokens > 0 && t.Seconds > 0 {
		s.TokensPerSecond, s.JoulesPerToken = tokens/t.Seconds, t.Joules/tokens
		for _, b := range t.Busy {
			s.Busy += b / t.Seconds / float64(len(t.Busy))
		}
	}
	return s
}

// String is a table of the percentiles and the rates. A line says if there were none of its events, such as tokens
// behind the first ones.
func (s *Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %10s %10s %10s %10s %10s %10s\n", "milliseconds", "mean", "50%", "90%", "95%", "99%", "most")
	for _, row := range []struct {
		name string
		p    *Percentiles
	}{{"first token", &s.First}, {"between tokens", &s.Between}, {"whole answer", &s.Whole}} {
		fmt.Fprintf(&b, "%-16s", row.name)
		if row.p.Count == 0 {
			fmt.Fprintf(&b, " %10s\n", "none")
			continue
		}
		for _, v := range []float64{row.p.Mean, row.p.P50, row.p.P90, row.p.P95, row.p.P99, row.p.Most} {
			fmt.Fprintf(&b, " %10.4g", v*1e3)
		}
		fmt.Fprintln(&b)
	}
	if s.First.Count == 0 {
		fmt.Fprintf(&b, "%d requests, all refused\n", s.Requests)
		return b.String()
	}
	fmt.Fprintf(&b, "%d requests in %.4g s, %d refused: %.4g tokens a second, %.3g mJ a token (estimate), arrays busy %.0f%%\n",
		s.Requests, s.Seconds, s.Refused, s.TokensPerSecond, s.JoulesPerToken*1e3, 100*s.Busy)
	fmt.Fprintf(&b, "%d passes, %d of %d tokens of prompts were in the cache, %d sequences had to wait for pages, at most %d requests waited",
		s.Stats.Passes, s.Stats.ReusedTokens, s.Stats.PromptTokens, s.Stats.Preempted, s.Waited)
	if s.Stats.DraftedTokens > 0 {
		fmt.Fprintf(&b, ", %d of %d guesses were right", s.Stats.AcceptedTokens, s.Stats.DraftedTokens)
	}
	fmt.Fprintln(&b)
	return b.String()
}
