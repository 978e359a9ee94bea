package metrics_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/lazy/metrics"
)

// Percentiles agree with the samples', within the width of a bucket, over all magnitudes.
func TestPercentiles(t *testing.T) {
	var timer metrics.Timer
	r := rand.New(rand.NewPCG(1, 2))
	var samples []time.Duration
	for range 10_000 {
		d := time.Duration(1) << r.IntN(40)
		d += time.Duration(r.Int64N(int64(d)))
		samples = append(samples, d)
		timer.Add(d)
	}
	slices.Sort(samples)
	times := timer.Read()
	require.EqualValues(t, len(samples), times.Samples)
	for _, p := range []float64{1, 10, 50, 90, 99} {
		want := float64(samples[int(p/100*float64(len(samples)))])
		require.InEpsilon(t, want, float64(times.Percentile(p)), 0.15, "percentile %g", p)
	}
	var sum time.Duration
	for _, d := range samples {
		sum += d
	}
	require.Equal(t, sum, times.Total)
}

func TestExtremes(t *testing.T) {
	var timer metrics.Timer
	require.Zero(t, timer.Read().Percentile(50))
	for _, d := range []time.Duration{-1, 0, 1, 1<<63 - 1} {
		timer.Reset()
		timer.Add(d)
		require.EqualValues(t, 1, timer.Read().Samples)
	}
}

func TestDifference(t *testing.T) {
	var timer metrics.Timer
	timer.Add(time.Second)
	before := metrics.Snapshot{Timers: map[string]metrics.Times{"T": timer.Read()},
		Counters: map[string]int64{"a": 1, "same": 5}}
	timer.Add(time.Millisecond)
	after := metrics.Snapshot{Timers: map[string]metrics.Times{"T": timer.Read()},
		Counters: map[string]int64{"a": 4, "same": 5}, Gauges: map[string]int64{"g": 7}}
	d := after.Sub(before)
	require.Equal(t, map[string]int64{"a": 3}, d.Counters)
	require.Equal(t, map[string]int64{"g": 7}, d.Gauges)
	require.EqualValues(t, 1, d.Timers["T"].Samples)
	require.InEpsilon(t, float64(time.Millisecond), float64(d.Timers["T"].Percentile(50)), 0.15)
}

func TestForms(t *testing.T) {
	var timer metrics.Timer
	timer.Add(2 * time.Millisecond)
	s := metrics.Snapshot{Timers: map[string]metrics.Times{"CompileTime": timer.Read()},
		Counters: map[string]int64{"CachedCompile": 3, "acap::add.Tensor": 2, "aten::svd": 1},
		Gauges:   map[string]int64{"LiveBytes": 64}}
	text, err := json.Marshal(s)
	require.NoError(t, err)
	var back struct {
		Timers   map[string]struct{ Samples int64 }
		Counters map[string]int64
	}
	require.NoError(t, json.Unmarshal(text, &back))
	require.EqualValues(t, 1, back.Timers["CompileTime"].Samples)
	require.EqualValues(t, 2, back.Counters["acap::add.Tensor"])
	var b strings.Builder
	require.NoError(t, s.WritePrometheus(&b, `device="d"`))
	for _, line := range []string{
		"# TYPE acap_compile_seconds summary", `acap_compile_seconds_count{device="d"} 1`,
		`acap_cached_compile_total{device="d"} 3`, `acap_acap_calls_total{device="d",op="add.Tensor"} 2`,
		`acap_aten_calls_total{device="d",op="svd"} 1`, `acap_live_bytes{device="d"} 64`,
	} {
		require.Contains(t, b.String(), line+"\n")
	}
}

func TestConcurrent(t *testing.T) {
	var timer metrics.Timer
	var c metrics.Counter
	var wait sync.WaitGroup
	for range 8 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for range 1000 {
				timer.Add(time.Microsecond)
				c.Add(1)
			}
		}()
	}
	wait.Wait()
	require.EqualValues(t, 8000, timer.Read().Samples)
	require.EqualValues(t, 8000, c.Value())
}

func BenchmarkTimer(b *testing.B) {
	var timer metrics.Timer
	for b.Loop() {
		timer.Add(12345)
	}
}

func ExampleSnapshot_WritePrometheus() {
	s := metrics.Snapshot{Counters: map[string]int64{"UncachedCompile": 2}}
	if err := s.WritePrometheus(os.Stdout, ""); err != nil {
		fmt.Println(err)
	}
	// Output:
	// # TYPE acap_uncached_compile_total counter
	// acap_uncached_compile_total 2
}
