package metrics_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/lazy/metrics"
)

// timed returns what a timer says that noted durations.
func timed(list ...time.Duration) metrics.Times {
	var timer metrics.Timer
	for _, d := range list {
		timer.Add(d)
	}
	return timer.Read()
}

// TestPercentileFormula: short durations have buckets of their own, longer ones eight for a power of two, and a
// percentile lies in its bucket in proportion.
func TestPercentileFormula(t *testing.T) {
	for _, c := range []struct {
		d         int64
		low, high float64
	}{
		{0, 0, 1}, {1, 1, 2}, {7, 7, 8}, {8, 8, 9}, {15, 15, 16}, {16, 16, 18}, {17, 16, 18}, {18, 18, 20}, {31, 30, 32},
		{32, 32, 36}, {63, 60, 64}, {64, 64, 72}, {1000, 960, 1024}, {1024, 1024, 1152}, {1<<40 - 1, 1<<40 - 1<<36, 1 << 40},
		{1 << 62, 1 << 62, 1<<62 + 1<<59},
	} {
		times := timed(time.Duration(c.d), time.Duration(c.d), time.Duration(c.d), time.Duration(c.d))
		for _, p := range []float64{0, 25, 50, 75} { // the end of the last bucket is no duration any more
			require.Equal(t, time.Duration(c.low+(c.high-c.low)*p/100), times.Percentile(p), "%d%% of %d", int(p), c.d)
		}
	}
	two := timed(1, 100, 100, 100)
	require.EqualValues(t, 1, two.Percentile(0))
	require.EqualValues(t, 2, two.Percentile(25))
	require.EqualValues(t, 96+math.Floor(8./3), two.Percentile(50))
	require.EqualValues(t, 104, two.Percentile(100))
	require.Zero(t, timed().Percentile(100))
}

// TestReport is all that a report has, in the order of the names; durations have three digits.
func TestReport(t *testing.T) {
	s := metrics.Snapshot{
		Timers:   map[string]metrics.Times{"B": timed(), "A": timed(8, 8, 8, 8, 1015999)},
		Counters: map[string]int64{"z": 1, "c": -2}, Gauges: map[string]int64{"h": 4, "g": 3},
	}
	require.Equal(t, `Metric: A
  TotalSamples: 5
  Accumulator: 1.016031ms
  Mean: 203µs
  Percentiles: 1%=8ns; 5%=8ns; 10%=8ns; 20%=8ns; 50%=8ns; 80%=9ns; 90%=1.02ms; 95%=1.03ms; 99%=1.05ms
Metric: B
  TotalSamples: 0
  Accumulator: 0s
  Percentiles: 1%=0s; 5%=0s; 10%=0s; 20%=0s; 50%=0s; 80%=0s; 90%=0s; 95%=0s; 99%=0s
Counter: c
  Value: -2
Counter: z
  Value: 1
Gauge: g
  Value: 3
Gauge: h
  Value: 4
`, s.Report())
	s.Timers["A"] = timed(1000)
	require.Contains(t, s.Report(), "Mean: 1µs\n")
	text, err := json.Marshal(s)
	require.NoError(t, err)
	require.JSONEq(t, `{"counters": {"c": -2, "z": 1}, "gauges": {"g": 3, "h": 4}, "timers": {
		"A": {"samples": 1, "total_ns": 1000, "percentiles_ns": {"1": 960, "5": 963, "10": 966, "20": 972, "50": 992, "80": 1011, "90": 1017, "95": 1020, "99": 1023}},
		"B": {"samples": 0, "total_ns": 0, "percentiles_ns": {"1": 0, "5": 0, "10": 0, "20": 0, "50": 0, "80": 0, "90": 0, "95": 0, "99": 0}}}}`, string(text))
}

// TestPrometheus: names are in lower case with underscores, operators are labels of one metric, and each metric has its
// type once.
func TestPrometheus(t *testing.T) {
	s := metrics.Snapshot{
		Timers:   map[string]metrics.Times{"AZTime": timed(1<<30, 1<<30)},
		Counters: map[string]int64{"az_AZ.09": 7, "acap::b": 2, "acap::a": 1, "aten::a": 3}, Gauges: map[string]int64{"LiveBytes": 64},
	}
	var b strings.Builder
	require.NoError(t, s.WritePrometheus(&b, `d="x"`))
	require.Equal(t, `# TYPE acap_a_z_seconds summary
acap_a_z_seconds{d="x",quantile="0.5"} 1.140850688
acap_a_z_seconds{d="x",quantile="0.9"} 1.194537779
acap_a_z_seconds{d="x",quantile="0.99"} 1.206617374
acap_a_z_seconds_sum{d="x"} 2.147483648
acap_a_z_seconds_count{d="x"} 2
# TYPE acap_acap_calls_total counter
acap_acap_calls_total{d="x",op="a"} 1
acap_acap_calls_total{d="x",op="b"} 2
# TYPE acap_aten_calls_total counter
acap_aten_calls_total{d="x",op="a"} 3
# TYPE acap_az_a_z_09_total counter
acap_az_a_z_09_total{d="x"} 7
# TYPE acap_live_bytes gauge
acap_live_bytes{d="x"} 64
`, b.String())
}

// TestDifferenceOfTimes: what an earlier reading had is gone from every bucket, and what has not changed is left out.
func TestDifferenceOfTimes(t *testing.T) {
	var timer metrics.Timer
	for _, d := range []time.Duration{5, 5, 100} {
		timer.Add(d)
	}
	before := metrics.Snapshot{Timers: map[string]metrics.Times{"a": timer.Read(), "b": timed(1)}}
	timer.Add(7)
	timer.Add(5)
	after := metrics.Snapshot{Timers: map[string]metrics.Times{"a": timer.Read(), "b": timed(1), "c": timed(9)}}
	d := after.Sub(before)
	require.Len(t, d.Timers, 2)
	a := d.Timers["a"]
	require.EqualValues(t, 2, a.Samples)
	require.EqualValues(t, 12, a.Total)
	require.EqualValues(t, 6, a.Percentile(50))
	require.EqualValues(t, 8, a.Percentile(100))
	require.EqualValues(t, 9, d.Timers["c"].Total)
	timer.Reset()
	require.Equal(t, metrics.Times{}, timer.Read())
}
