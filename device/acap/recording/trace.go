package recording

import (
	"encoding/json"
	"fmt"
	"io"
)

// WriteTrace writes a Chrome trace of a simulated run and a recorded one: the simulated calls of each core, and below
// them the recorded calls. The first call of either is at 0; clock is cycles a second. An error is one of w.
func (r *Recording) WriteTrace(w io.Writer, recorded []Calls, clock float64) error {
	simulated, err := r.Calls(DefaultEvents)
	if err != nil {
		return err
	}
	us := 1e6 / clock // of a cycle
	events := append(chromeEvents("simulated", 0, simulated, us), chromeEvents("recorded", 1, recorded, us)...)
	return json.NewEncoder(w).Encode(map[string]any{"traceEvents": events, "displayTimeUnit": "ns"})
}

// chromeEvents returns the events of one process of a Chrome trace: the cores as threads, and their calls. us is the
// microseconds of a cycle.
func chromeEvents(name string, pid int, cores []Calls, us float64) []map[string]any {
	first := int64(-1)
	for _, c := range cores {
		if len(c.Spans) > 0 && (first < 0 || c.Spans[0].From < first) {
			first = c.Spans[0].From
		}
	}
	events := []map[string]any{{"name": "process_name", "ph": "M", "pid": pid, "args": map[string]any{"name": name}}}
	for tid, c := range cores {
		core := map[string]any{"name": fmt.Sprintf("core %d, %d", c.Col, c.Row)}
		events = append(events, map[string]any{"name": "thread_name", "ph": "M", "pid": pid, "tid": tid, "args": core})
		for _, v := range c.Spans {
			events = append(events, map[string]any{"name": "call", "ph": "X", "pid": pid, "tid": tid,
				"ts": float64(v.From-first) * us, "dur": float64(v.To-v.From) * us})
		}
	}
	return events
}
