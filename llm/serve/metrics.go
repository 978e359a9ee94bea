package serve

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// metrics counts requests.
type metrics struct {
	requests, refused, cancelled, failed atomic.Int64
	nanoseconds, count                   atomic.Int64 // of all requests
	firstNanoseconds, firstCount         atomic.Int64 // up to the first token
}

func (m *metrics) seconds(d time.Duration) {
	m.requests.Add(1)
	m.nanoseconds.Add(int64(d))
	m.count.Add(1)
}

func (m *metrics) first(d time.Duration) {
	m.firstNanoseconds.Add(int64(d))
	m.firstCount.Add(1)
}

// writeMetrics writes the counts in the text format of Prometheus, and those that llama-server has by its names as
// well.
func (s *Server) writeMetrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	stats, m := s.model.Stats(), &s.metrics
	write := func(name, kind, help string, value any) {
		fmt.Fprintf(w, "# HELP acap_%s %s\n# TYPE acap_%s %s\nacap_%s %v\n", name, help, name, kind, name, value)
	}
	write("requests_total", "counter", "Requests that were answered, with errors and cancelled ones.", m.requests.Load())
	write("requests_refused_total", "counter", "Requests that found the queue full.", m.refused.Load())
	write("requests_cancelled_total", "counter", "Requests whose client went away.", m.cancelled.Load())
	write("requests_failed_total", "counter", "Requests that failed within the server.", m.failed.Load())
	summary := func(name, help string, nanoseconds, count int64) {
		fmt.Fprintf(w, "# HELP acap_%s %s\n# TYPE acap_%s summary\nacap_%s_sum %g\nacap_%s_count %d\n", name, help, name, name, float64(nanoseconds)/1e9, name, count)
	}
	summary("request_seconds", "Time of requests.", m.nanoseconds.Load(), m.count.Load())
	summary("first_token_seconds", "Time up to the first token.", m.firstNanoseconds.Load(), m.firstCount.Load())
	write("prompt_tokens_total", "counter", "Tokens of prompts.", stats.PromptTokens)
	write("prompt_tokens_reused_total", "counter", "Tokens of prompts whose keys and values were in the cache.", stats.ReusedTokens)
	write("generated_tokens_total", "counter", "Tokens that were generated.", stats.GeneratedTokens)
	write("passes_total", "counter", "Passes of the model.", stats.Passes)
	write("drafted_tokens_total", "counter", "Tokens that the draft model guessed.", stats.DraftedTokens)
	write("accepted_tokens_total", "counter", "Guesses that were right.", stats.AcceptedTokens)
	write("preempted_total", "counter", "Sequences that waited for pages of others.", stats.Preempted)
	write("sequences_running", "gauge", "Sequences that are being computed.", stats.Running)
	write("sequences_waiting", "gauge", "Sequences that wait.", stats.Waiting)
	write("cache_pages", "gauge", "Pages of the cache of keys and values.", stats.Pages)
	write("cache_pages_free", "gauge", "Pages that belong to no sequence.", stats.FreePages)
	for _, m := range []struct {
		name, kind, help string
		value            int
	}{
		{"prompt_tokens_total", "counter", "Tokens of prompts that were computed.", stats.PromptTokens - stats.ReusedTokens},
		{"prompt_tokens_cached_total", "counter", "Tokens of prompts whose keys and values were in the cache.", stats.ReusedTokens},
		{"tokens_predicted_total", "counter", "Tokens that were generated.", stats.GeneratedTokens},
		{"n_decode_total", "counter", "Passes of the model.", stats.Passes},
		{"spec_decode_num_draft_tokens_total", "counter", "Tokens that the draft model guessed.", stats.DraftedTokens},
		{"spec_decode_num_accepted_tokens_total", "counter", "Guesses that were right.", stats.AcceptedTokens},
		{"requests_processing", "gauge", "Sequences that are being computed.", stats.Running},
		{"requests_deferred", "gauge", "Sequences that wait.", stats.Waiting},
	} {
		fmt.Fprintf(w, "# HELP llamacpp:%s %s\n# TYPE llamacpp:%s %s\nllamacpp:%s %d\n", m.name, m.help, m.name, m.kind, m.name, m.value)
	}
}
