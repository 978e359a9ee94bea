package fit

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/llm/account"
)

// Report says what a model takes.
type Report struct {
	Model     string `json:"model"`
	What      string `json:"what"` // the architecture and its sizes
	Fits      bool   `json:"fits"`
	Memory    int64  `json:"memory_bytes"`
	Needs     int64  `json:"needs_bytes"`
	Parts     []Part `json:"parts"`
	Length    int    `json:"length,omitempty"`    // tokens of a sequence
	Sequences int    `json:"sequences,omitempty"` // at once
	// Longest is the most tokens of a sequence for which the memory suffices, 0 if it does for none.
	Longest int `json:"longest,omitempty"`

	Machine string `json:"machine,omitempty"`
	// Prompt is a prompt of Length-1 tokens, Token the one that follows it, of all sequences at once. Run is the run of
	// a model of another kind.
	Prompt *account.Cost `json:"prompt,omitempty"`
	Token  *account.Cost `json:"token,omitempty"`
	Run    *account.Cost `json:"run,omitempty"`
}

// Part is a part of the memory.
type Part struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Note  string `json:"note,omitempty"`
}

// add adds a part that takes something.
func (r *Report) add(name string, bytes int64, note string, args ...any) {
	if bytes > 0 {
		r.Parts = append(r.Parts, Part{name, bytes, fmt.Sprintf(note, args...)})
		r.Needs = buf.AddBytes(r.Needs, bytes)
	}
}

// judge compares the parts with the memory. A sum that no number holds does not fit.
func (r *Report) judge(memory int64) {
	r.Memory = memory
	r.Fits = r.Needs >= 0 && r.Needs <= memory
}

// Verdict is the answer in a line.
func (r *Report) Verdict() string {
	switch {
	case r.Fits:
		return fmt.Sprintf("fits: %s of %s", buf.Size(r.Needs), buf.Size(r.Memory))
	case r.Longest > 0:
		return fmt.Sprintf("does not fit: %s are needed and there are %s; up to %d tokens of each sequence fit",
			buf.Size(r.Needs), buf.Size(r.Memory), r.Longest)
	}
	return fmt.Sprintf("does not fit: %s are needed and there are %s", buf.Size(r.Needs), buf.Size(r.Memory))
}

// Err is nil if the model fits, else what [Report.Verdict] says.
func (r *Report) Err() error {
	if r.Fits {
		return nil
	}
	return fmt.Errorf("%s %s", r.Model, r.Verdict())
}

// String is a table of the parts, the verdict, and times where there is a machine.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Model, r.What)
	for _, p := range r.Parts {
		fmt.Fprintf(&b, "  %-12s %10s  %4.1f%%  %s\n", p.Name, buf.Size(p.Bytes), 100*float64(p.Bytes)/float64(r.Needs), p.Note)
	}
	fmt.Fprintln(&b, r.Verdict())
	if r.Fits && r.Longest > r.Length {
		fmt.Fprintf(&b, "up to %d tokens of each sequence fit\n", r.Longest)
	}
	cost := func(what string, c *account.Cost, tokens int) {
		if c == nil {
			return
		}
		fmt.Fprintf(&b, "%s on %s: %s, %s (estimate), bound by %s", what, r.Machine, seconds(c.Seconds), joules(c.Joules), c.Bound)
		if tokens > 0 {
			fmt.Fprintf(&b, ", %.4g tokens a second", float64(tokens)/c.Seconds)
		}
		fmt.Fprintln(&b)
	}
	cost(fmt.Sprintf("a prompt of %d", r.Length-1), r.Prompt, r.Length-1)
	cost(fmt.Sprintf("a token behind %d", r.Length-1), r.Token, r.Sequences)
	cost("a run", r.Run, 0)
	return b.String()
}

// seconds writes a time in its unit.
func seconds(s float64) string { return quantity(s, "s") }

// joules writes an energy in its unit.
func joules(j float64) string { return quantity(j, "J") }

func quantity(v float64, unit string) string {
	prefix := ""
	for _, p := range []string{"m", "u"} {
		if v == 0 || v >= 0.9995 {
			break
		}
		v, prefix = v*1e3, p
	}
	return fmt.Sprintf("%.3g %s%s", v, prefix, unit)
}
