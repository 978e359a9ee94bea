package report

import (
	"encoding/json"
	"io"
)

// traceEvent is one entry of the Chrome trace format, which Perfetto opens. Times are
// microseconds.
type traceEvent struct {
	Name string         `json:"name"`
	Cat  string         `json:"cat,omitempty"`
	Ph   string         `json:"ph"`
	Ts   float64        `json:"ts"`
	Dur  float64        `json:"dur,omitempty"`
	Pid  int            `json:"pid"`
	Tid  int            `json:"tid"`
	Args map[string]any `json:"args,omitempty"`
}

// WriteTrace writes [Report.Timeline] as a Chrome trace. Of each kernel the first 20000
// intervals are there; of a pipeline all samples, and the trace says which of them with their intervals. An error is
// one of w.
func (r *Report) WriteTrace(w io.Writer) error {
	var events []traceEvent
	named := func(what, name string, pid, tid int) {
		events = append(events, traceEvent{Name: what, Ph: "M", Pid: pid, Tid: tid, Args: map[string]any{"name": name}})
	}
	drawn := r.Drawn(intervals)
	for i, name := range r.groupNames() {
		if i == groupProgram && drawn != "" {
			name += ": " + drawn
		}
		named("process_name", name, i, 0)
	}
	for _, t := range r.Timeline(intervals) {
		named("thread_name", t.Name, t.group, t.id)
		for _, s := range t.Slices {
			events = append(events, traceEvent{Name: s.Name, Cat: "acap", Ph: "X", Ts: s.Start * 1e6, Dur: s.Length * 1e6,
				Pid: t.group, Tid: t.id, Args: s.Args})
		}
	}
	file := map[string]any{"traceEvents": events, "displayTimeUnit": "ns"}
	if drawn != "" {
		file["otherData"] = map[string]string{"pipeline": drawn}
	}
	return json.NewEncoder(w).Encode(file)
}
