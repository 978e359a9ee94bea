package traffic

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/go-acap/acap/llm"
)

// Poisson returns count requests that come independently of each other, at a mean rate a second. The prompt and the
// answer of each have the given tokens.
func Poisson(rate float64, count int, seed uint64, prompt, answer int) []llm.Request {
	random := rand.New(rand.NewPCG(seed, 0))
	list, at := make([]llm.Request, max(count, 0)), 0.0
	for i := range list {
		at += random.ExpFloat64() / rate
		list[i] = llm.Request{Arrival: at, Prompt: prompt, Answer: answer}
	}
	return list
}

// columns are the names that a column may have.
var columns = map[string][]string{
	"arrival": {"arrival", "arrived_at", "timestamp", "time"},
	"prompt":  {"prompt", "contexttokens", "context_tokens", "num_prefill_tokens", "input_tokens"},
	"answer":  {"answer", "generatedtokens", "generated_tokens", "num_decode_tokens", "output_tokens"},
	"shared":  {"shared"},
	"group":   {"group"},
}

// layouts are the layouts of times that are not given in seconds.
var layouts = []string{"2006-01-02 15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", time.RFC3339Nano}

// Read reads requests from a CSV file with the columns arrival (seconds, or dates), prompt and answer (tokens). The
// columns shared and group, of prompts that begin alike, may be left out. TIMESTAMP, ContextTokens and GeneratedTokens
// are names of the first three as well. A missing column is an error, and so is a value that is no number, with its
// line. The first request comes at 0.
func Read(r io.Reader) ([]llm.Request, error) {
	c := csv.NewReader(r)
	c.TrimLeadingSpace, c.Comment = true, '#'
	head, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("traffic: no line with the names of columns: %w", err)
	}
	at := map[string]int{}
	for name, others := range columns {
		at[name] = -1
		for i, h := range head {
			for _, o := range others {
				if strings.EqualFold(strings.TrimSpace(strings.TrimPrefix(h, "\ufeff")), o) {
					at[name] = i
				}
			}
		}
	}
	for _, name := range []string{"arrival", "prompt", "answer"} {
		if at[name] < 0 {
			return nil, fmt.Errorf("traffic: there is no column %s (or %s)", name, strings.Join(columns[name][1:], ", "))
		}
	}
	var list []llm.Request
	first := math.Inf(1)
	for {
		f, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("traffic: %w", err)
		}
		q := llm.Request{}
		if q.Arrival, err = seconds(f[at["arrival"]]); err != nil {
			line, column := c.FieldPos(at["arrival"])
			return nil, fmt.Errorf("traffic: %d:%d: arrival: %w", line, column, err)
		}
		for _, count := range []struct {
			name string
			to   *int
		}{{"prompt", &q.Prompt}, {"answer", &q.Answer}, {"shared", &q.Shared}, {"group", &q.Group}} {
			place := at[count.name]
			if place < 0 {
				continue
			}
			if *count.to, err = strconv.Atoi(strings.TrimSpace(f[place])); err != nil || *count.to < 0 || *count.to > 1<<22 {
				line, column := c.FieldPos(place)
				return nil, fmt.Errorf("traffic: %d:%d: %s is %q, want a count up to %d", line, column, count.name, f[place], 1<<22)
			}
		}
		q.Prompt, q.Answer = max(q.Prompt, 1), max(q.Answer, 1) // traces have empty ones
		first = min(first, q.Arrival)
		list = append(list, q)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("traffic: there are no requests")
	}
	for i := range list {
		list[i].Arrival -= first
	}
	return list, nil
}

// seconds reads a number of seconds, or a date.
func seconds(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if v, err := strconv.ParseFloat(text, 64); err == nil && v >= 0 && v < 1e12 {
		return v, nil
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return float64(t.Unix()) + float64(t.Nanosecond())/1e9, nil
		}
	}
	return 0, fmt.Errorf("%q is neither seconds nor a date", text)
}
