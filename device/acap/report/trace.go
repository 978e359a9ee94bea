package report

import (
	"encoding/json"
	"io"

	"github.com/go-acap/acap/device/acap/timing"
)

// event is one entry of the Chrome trace format, which Perfetto opens. Times are
// microseconds.
type event struct {
	Name string         `json:"name"`
	Cat  string         `json:"cat"`
	Ph   string         `json:"ph"`
	Ts   float64        `json:"ts"`
	Dur  float64        `json:"dur,omitempty"`
	Pid  int            `json:"pid"`
	Tid  int            `json:"tid"`
	Args map[string]any `json:"args,omitempty"`
}

// The rows of a trace, beside one for every core row of the array.
const (
	rowHost = iota
	rowKernel
	rowDDR
	rowCore
)

// WriteTrace writes the program as a Chrome trace: kernels one after the other,
// with what the host, the memory and the cores do during each.
func (r *Report) WriteTrace(w io.Writer) error {
	events := []event{
		name("process_name", 0, r.Name),
		name("thread_name", rowHost, "host"), name("thread_name", rowKernel, "kernels"),
		name("thread_name", rowDDR, "DDR"), name("thread_name", rowCore, "cores"),
	}
	at := 0.0
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Problem != "" {
			continue
		}
		events = append(events, k.events(at)...)
		at += k.Timing.Seconds * 1e6
	}
	return json.NewEncoder(w).Encode(map[string]any{"traceEvents": events, "displayTimeUnit": "ns"})
}

func name(kind string, tid int, text string) event {
	return event{Name: kind, Ph: "M", Tid: tid, Args: map[string]any{"name": text}}
}

// events are the spans of one kernel that starts at the given microsecond.
func (k *Kernel) events(start float64) []event {
	t := &k.Timing
	span := func(what string, row int, from, length float64, args map[string]any) event {
		return event{Name: what, Cat: "acap", Ph: "X", Ts: from, Dur: length * 1e6, Tid: row, Args: args}
	}
	out := []event{span(k.Name, rowKernel, start, t.Seconds, map[string]any{
		"mapping": k.Layout, "where": k.Where, "cores": t.Cores, "cycles": t.Cycles,
		"mac_per_cycle": t.MACsPerCycle, "of_peak": t.PeakShare, "bound": k.Bound,
		"read_bytes": t.ReadL3, "write_bytes": t.WriteL3,
	})}
	at := start
	for _, phase := range []struct {
		what    string
		row     int
		seconds float64
	}{
		{"launch", rowHost, t.Launch}, {"fill", rowDDR, t.Fill}, {"steady", rowCore, t.Steady},
		{"output", rowDDR, t.Output}, {"restart", rowHost, t.Restart}, {"drain", rowDDR, t.Drain},
	} {
		if phase.seconds > 0 {
			out = append(out, span(phase.what, phase.row, at, phase.seconds, nil))
			at += phase.seconds * 1e6
		}
	}
	if t.Bound == timing.BoundDDR && t.Steady > 0 {
		out = append(out, span("busy", rowDDR, start+(t.Launch+t.Fill)*1e6, t.Steady, nil))
	}
	return out
}
