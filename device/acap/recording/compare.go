package recording

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/report"
)

// Kernel compares one kernel: how many calls of it there are on all cores, what one takes in the mean, and from the
// first to the last, in cycles.
type Kernel struct {
	Name           string  `json:"kernel"`
	Calls          int     `json:"calls"`
	RecordedCalls  int     `json:"recorded_calls"`
	Call           float64 `json:"call_cycles"`
	RecordedCall   float64 `json:"recorded_call_cycles"`
	Cycles         float64 `json:"cycles"`
	RecordedCycles float64 `json:"recorded_cycles"`
	CallError      float64 `json:"call_error"` // simulated over recorded, minus one
	Error          float64 `json:"error"`
	Cores          int     `json:"cores"`
	Missing        int     `json:"missing_cores,omitempty"` // that the recording has not
}

// Comparison is kernel by kernel.
type Comparison struct {
	Kernels []Kernel `json:"kernels"`
	// Unknown are recorded calls that no kernel of the simulation has.
	Unknown int `json:"unknown_calls"`
}

// simulated is the calls of a kernel.
type simulated struct {
	name  string
	calls []Calls
	waits []Calls
}

// most is how many intervals of a kernel are taken.
const most = 1 << 21

// simulate returns the calls of the kernels of a report, each from the time on at which its array's work begins.
func simulate(r *report.Report) ([]simulated, error) {
	var out []simulated
	base := 0.0
	r = r.Layers()
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Problem != "" || k.Once {
			continue
		}
		s := simulated{name: k.Name}
		if k.Choice == nil {
			base += k.Array() * r.Machine.Clock.Value
			continue
		}
		e, err := k.Events(event.Options{Exact: true, Intervals: most})
		if err != nil {
			return nil, fmt.Errorf("recording: %s: %w", k.Name, err)
		}
		if e.Truncated {
			return nil, fmt.Errorf("recording: %s has more than %d intervals: compare a smaller model", k.Name, most)
		}
		of := map[int]int{}
		for _, v := range e.Intervals {
			if v.Activity != event.Call && v.Activity != event.Stall {
				continue
			}
			n, ok := of[v.Core]
			if !ok {
				n = len(s.calls)
				of[v.Core] = n
				tile := e.Cores[v.Core].Tile
				s.calls, s.waits = append(s.calls, Calls{Col: tile.Col, Row: tile.Row}), append(s.waits, Calls{})
			}
			span := Span{int64(base + v.Start + 0.5), int64(base + v.End + 0.5)}
			if v.Activity == event.Call {
				s.calls[n].Spans = append(s.calls[n].Spans, span)
			} else {
				s.waits[n].Spans = append(s.waits[n].Spans, span)
			}
		}
		out = append(out, s)
		base += e.Cycles
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("recording: no kernel of the model runs on cores of %s", r.Machine.Name)
	}
	return out, nil
}

// Simulate returns the run of a report as the units of the cores would record it: calls of kernels, and waiting in the
// place of LOCK_STALL of [DefaultEvents]. A kernel whose program cannot be simulated is an error.
func Simulate(r *report.Report) (*Recording, error) {
	list, err := simulate(r)
	if err != nil {
		return nil, err
	}
	rec := &Recording{}
	of := map[[2]int]*Tile{}
	for _, k := range list {
		for i, c := range k.calls {
			t := of[[2]int{c.Col, c.Row}]
			if t == nil {
				t = &Tile{Col: c.Col, Row: c.Row, Kind: Core, ID: len(rec.Tiles) & 31}
				of[[2]int{c.Col, c.Row}] = t
				rec.Tiles = append(rec.Tiles, t)
			}
			mark := func(slot int, from, to int64) {
				list := t.Events[slot]
				if n := len(list); n > 0 && from <= list[n-1].To { // marks that touch are one
					list[n-1].To = max(list[n-1].To, to)
					return
				}
				t.Events[slot] = append(list, Span{from, to})
			}
			for _, s := range c.Spans { // the first cycle comes after the timer's
				mark(0, s.From+1, s.From+2)
				mark(1, s.To+1, s.To+2)
			}
			for _, s := range k.waits[i].Spans {
				if s.To > s.From {
					mark(Slots-1, s.From+1, s.To+1)
				}
			}
		}
	}
	return rec, nil
}

// Compare compares the kernels of a report with recorded calls: on each core the first calls are of the first kernel
// that runs there, and so on. Column right of the recording is column 0 of the simulation. Errors are those of
// [Simulate].
func Compare(r *report.Report, calls []Calls, right int) (*Comparison, error) {
	list, err := simulate(r)
	if err != nil {
		return nil, err
	}
	rest := map[[2]int][]Span{}
	out := &Comparison{}
	for _, c := range calls {
		rest[[2]int{c.Col - right, c.Row}] = c.Spans
		out.Unknown += len(c.Spans)
	}
	for _, k := range list {
		row := Kernel{Name: k.name, Cores: len(k.calls)}
		var own, theirs extent
		for _, c := range k.calls {
			own.add(c.Spans)
			at := [2]int{c.Col, c.Row}
			n := min(len(c.Spans), len(rest[at]))
			if n == 0 {
				row.Missing++
			}
			theirs.add(rest[at][:n])
			rest[at] = rest[at][n:]
			out.Unknown -= n
		}
		row.Calls, row.RecordedCalls = own.calls, theirs.calls
		row.Call, row.RecordedCall = own.mean(), theirs.mean()
		row.Cycles, row.RecordedCycles = float64(own.to-own.from), float64(theirs.to-theirs.from)
		if theirs.calls > 0 && row.RecordedCall > 0 {
			row.CallError, row.Error = row.Call/row.RecordedCall-1, row.Cycles/row.RecordedCycles-1
		}
		out.Kernels = append(out.Kernels, row)
	}
	return out, nil
}

// extent is from the first to the last of some calls.
type extent struct {
	calls    int
	from, to int64
	sum      int64
}

func (e *extent) add(spans []Span) {
	for _, s := range spans {
		if e.calls == 0 || s.From < e.from {
			e.from = s.From
		}
		e.to = max(e.to, s.To)
		e.sum += s.To - s.From
		e.calls++
	}
}

func (e *extent) mean() float64 {
	if e.calls == 0 {
		return 0
	}
	return float64(e.sum) / float64(e.calls)
}

// String is a table.
func (c *Comparison) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-16s %6s %9s %9s %11s %11s %8s %12s %12s %8s\n", "kernel", "cores", "calls", "recorded", "cycles each", "recorded", "error", "cycles", "recorded", "error")
	for _, k := range c.Kernels {
		fmt.Fprintf(&b, "%-16.16s %6d %9d %9d %11.1f %11.1f", k.Name, k.Cores, k.Calls, k.RecordedCalls, k.Call, k.RecordedCall)
		if k.RecordedCalls == 0 {
			fmt.Fprintf(&b, " %8s %12.0f %12s %8s  no core of it was recorded\n", "", k.Cycles, "", "")
			continue
		}
		fmt.Fprintf(&b, " %+7.1f%% %12.0f %12.0f %+7.1f%%", 100*k.CallError, k.Cycles, k.RecordedCycles, 100*k.Error)
		if k.Missing > 0 {
			fmt.Fprintf(&b, "  %d of %d cores were not recorded", k.Missing, k.Cores)
		}
		fmt.Fprintln(&b)
	}
	if c.differ() {
		b.WriteString("calls of a kernel differ in number: the recording is of another program, or a dump of acap run -vcd, " +
			"which leaves out stretches that repeat; compare-trace -write writes all calls\n")
	}
	if c.Unknown > 0 {
		fmt.Fprintf(&b, "%d recorded calls are of no kernel of the simulation\n", c.Unknown)
	}
	return b.String()
}

// differ reports whether a kernel whose cores were all recorded has another number of calls than in the simulation.
func (c *Comparison) differ() bool {
	return slices.ContainsFunc(c.Kernels, func(k Kernel) bool {
		return k.Missing == 0 && k.RecordedCalls > 0 && k.RecordedCalls != k.Calls
	})
}
