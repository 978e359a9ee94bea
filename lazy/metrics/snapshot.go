package metrics

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// Snapshot has the counters, timers and gauges at one time, by name.
type Snapshot struct {
	Timers   map[string]Times
	Counters map[string]int64
	// Gauges are amounts at the time, such as live bytes. They have no difference.
	Gauges map[string]int64
}

// Sub returns the counts and times since an earlier snapshot, with the gauges of s.
func (s Snapshot) Sub(before Snapshot) Snapshot {
	out := Snapshot{Timers: map[string]Times{}, Counters: map[string]int64{}, Gauges: maps.Clone(s.Gauges)}
	for name, t := range s.Timers {
		if d := t.Sub(before.Timers[name]); d.Samples > 0 {
			out.Timers[name] = d
		}
	}
	for name, n := range s.Counters {
		if d := n - before.Counters[name]; d != 0 {
			out.Counters[name] = d
		}
	}
	return out
}

// percentiles are the percentiles of a report, as PyTorch/XLA's reports have them.
var percentiles = []float64{1, 5, 10, 20, 50, 80, 90, 95, 99}

// Report prints timers, counters and gauges as PyTorch/XLA prints its metrics.
func (s Snapshot) Report() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.Timers)) {
		t := s.Timers[name]
		fmt.Fprintf(&b, "Metric: %s\n  TotalSamples: %d\n  Accumulator: %v\n", name, t.Samples, t.Total)
		if t.Samples > 0 {
			fmt.Fprintf(&b, "  Mean: %v\n", short(t.Total/time.Duration(t.Samples)))
		}
		b.WriteString("  Percentiles: ")
		for i, p := range percentiles {
			if i > 0 {
				b.WriteString("; ")
			}
			fmt.Fprintf(&b, "%g%%=%v", p, short(t.Percentile(p)))
		}
		b.WriteByte('\n')
	}
	for _, name := range slices.Sorted(maps.Keys(s.Counters)) {
		fmt.Fprintf(&b, "Counter: %s\n  Value: %d\n", name, s.Counters[name])
	}
	for _, name := range slices.Sorted(maps.Keys(s.Gauges)) {
		fmt.Fprintf(&b, "Gauge: %s\n  Value: %d\n", name, s.Gauges[name])
	}
	return b.String()
}

// short rounds a duration to three digits.
func short(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}

// String returns the report.
func (s Snapshot) String() string { return s.Report() }

// MarshalJSON implements [json.Marshaler]. Times are in nanoseconds.
func (s Snapshot) MarshalJSON() ([]byte, error) {
	type times struct {
		Samples     int64              `json:"samples"`
		Nanoseconds int64              `json:"total_ns"`
		Percentiles map[string]float64 `json:"percentiles_ns"`
	}
	timers := map[string]times{}
	for name, t := range s.Timers {
		p := map[string]float64{}
		for _, q := range percentiles {
			p[fmt.Sprintf("%g", q)] = float64(t.Percentile(q))
		}
		timers[name] = times{t.Samples, int64(t.Total), p}
	}
	return json.Marshal(map[string]any{"timers": timers, "counters": s.Counters, "gauges": s.Gauges})
}

// WritePrometheus writes the text format of Prometheus. labels, such as `device="acap:npu1"`,
// are added to every line and may be empty. Times are summaries in seconds. An error is one of w.
func (s Snapshot) WritePrometheus(w io.Writer, labels string) error {
	var b strings.Builder
	with := func(more string) string {
		list := strings.Trim(labels+","+more, ",")
		if list == "" {
			return ""
		}
		return "{" + list + "}"
	}
	for _, name := range slices.Sorted(maps.Keys(s.Timers)) {
		t := s.Timers[name]
		metric := "acap_" + snake(name) + "_seconds"
		fmt.Fprintf(&b, "# TYPE %s summary\n", metric)
		for _, p := range []float64{50, 90, 99} {
			fmt.Fprintf(&b, "%s%s %g\n", metric, with(fmt.Sprintf("quantile=%q", fmt.Sprintf("%g", p/100))),
				t.Percentile(p).Seconds())
		}
		fmt.Fprintf(&b, "%s_sum%s %g\n%s_count%s %d\n", metric, with(""), t.Total.Seconds(), metric, with(""), t.Samples)
	}
	typed := ""
	for _, name := range slices.Sorted(maps.Keys(s.Counters)) {
		// Counters of operators are one metric with the operator as label.
		metric, label := "acap_"+snake(name)+"_total", ""
		if kind, op, ok := strings.Cut(name, "::"); ok {
			metric, label = "acap_"+snake(kind)+"_calls_total", fmt.Sprintf("op=%q", op)
		}
		if metric != typed {
			fmt.Fprintf(&b, "# TYPE %s counter\n", metric)
			typed = metric
		}
		fmt.Fprintf(&b, "%s%s %d\n", metric, with(label), s.Counters[name])
	}
	for _, name := range slices.Sorted(maps.Keys(s.Gauges)) {
		metric := "acap_" + snake(name)
		fmt.Fprintf(&b, "# TYPE %s gauge\n%s%s %d\n", metric, metric, with(""), s.Gauges[name])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// snake turns a name such as CompileTime into compile_time.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r >= 'A' && r <= 'Z':
			if i > 0 {
				b.WriteByte('_')
			}
			b.WriteRune(r - 'A' + 'a')
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	return strings.TrimSuffix(strings.ReplaceAll(b.String(), "__", "_"), "_time")
}
