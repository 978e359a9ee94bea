package lazy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/metrics"
	"github.com/go-acap/acap/trace"
)

// TestExplanationText: every field that is set is printed, and none that is not.
func TestExplanationText(t *testing.T) {
	lines := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "line %d\n", i+1)
		}
		return b.String()
	}
	e := lazy.Explanation{
		Device: "acap:npu1", Calls: 7, Cached: true, Inputs: 1 << 10, Peak: 2 << 10, Kept: 3 << 10, Share: 0.875, Predicted: 1.5e-6, Measured: 4 * time.Microsecond,
		Largest: []lazy.ExplainedValue{{Bytes: 512, Op: "mm", Where: "a.go:1"}, {Bytes: 256, Op: "relu"}},
		Numbers: []lazy.ExplainedNumber{{Op: "add.Scalar", Argument: "other", Value: "2.5", Where: "a.go:2"}, {Op: "mul.Scalar", Argument: "other", Value: "3"}},
		Kernels: []lazy.ExplainedKernel{
			{Name: "k0", Kind: "contraction", Calls: []string{"a", "b", "c", "d", "e"}, Where: []string{"a.go:1", "a.go:2", "a.go:3", "a.go:4"}, Bytes: 64, Predicted: 1e-6, Cycles: 1000.4, Bound: "compute", Measured: 3 * time.Microsecond},
			{Name: "k1", Kind: "pointwise", Once: true, Bytes: 32, Measured: time.Microsecond},
			{Name: "k2", Kind: "host", Problem: "no kernel", Bytes: 16},
		},
		Groups: []lazy.ExplainedGroup{
			{Title: "acap::CompilationGroup_0", Function: "g0", Device: "acap:npu1", Ops: []string{"a", "b"}, Share: 0.75, Text: lines(24), Predicted: 1e-6, Measured: 3 * time.Microsecond},
			{Title: "acap::CompilationGroup_1", Function: "g1", Device: "acap:npu1", Ops: []string{"a"}, Share: 0.125, Text: lines(26)},
			{Function: "h0", Device: "host", Ops: []string{"qr"}, Share: 0.125, Problem: "no kernel"},
		},
		Lines: []lazy.ExplainedLine{{Where: "a.go:1", Predicted: 0.5e-6, Measured: 3 * time.Microsecond}},
	}
	listed := func(n int) string {
		return "    " + strings.Join(strings.Split(strings.TrimSpace(lines(n)), "\n"), "\n    ") + "\n"
	}
	require.Equal(t, `acap:npu1: 7 calls in 2 kernels and 1 calls on the host, cached
memory: 1 KiB of inputs, 2 KiB more at the peak, 3 KiB kept by the program
  512 B of mm at a.go:1
  256 B of relu at an unknown place
input: other of add.Scalar at a.go:2, 2.5 now
input: other of mul.Scalar at an unknown place, 3 now

kernel     kind         predicted  cycles  bound    bytes  measured  calls               where
k0         contraction  1µs        1000    compute  64 B   3µs       a b c d and 1 more  a.go:1 a.go:2 a.go:3 a.go:4
k1 (once)  pointwise    -          -       -        32 B   1µs                           
k2         host         -          -       -        16 B   0s                            
k2: no kernel
87.5% of the work is compiled for acap:npu1
acap::CompilationGroup_0 = g0 on acap:npu1: 2 operations, 75.0% of the work, predicted 1µs, measured 3µs
`+listed(24)+`acap::CompilationGroup_1 = g1 on acap:npu1: 1 operations, 12.5% of the work
`+listed(24)+`    … 2 more lines
on host: qr, 12.5% of the work: no kernel
predicted 1.5µs on the array, measured 4µs on this machine
  a.go:1: predicted 500ns, measured 3µs
`, e.String())

	e.Cached, e.Measured, e.Groups, e.Kernels, e.Largest, e.Numbers = false, 0, nil, e.Kernels[1:2], nil, nil
	require.Equal(t, `acap:npu1: 7 calls in 1 kernels and 0 calls on the host, not compiled before
memory: 1 KiB of inputs, 2 KiB more at the peak, 3 KiB kept by the program

kernel     kind       predicted  cycles  bound  bytes  calls  where
k1 (once)  pointwise  -          -       -      32 B          
predicted 1.5µs on the array
  a.go:1: predicted 500ns
`, e.String())
}

// TestRecompilationsText: causes that are the same stand in one line, with how often they came up.
func TestRecompilationsText(t *testing.T) {
	shape := func(step, program int, took time.Duration) lazy.Recompilation {
		return lazy.Recompilation{Device: "d", Step: step, Program: program, Where: "a.go:9", Calls: 4, Nearest: 1, Took: took,
			Difference: &trace.Difference{Kind: "shape", Op: "mm", Where: "a.go:3", WasWhere: "a.go:3", What: "input 0", Now: "f32[3]", Was: "f32[2]"},
			Advice:     "pad", Exact: "no mask"}
	}
	elsewhere := shape(5, 5, time.Millisecond)
	elsewhere.Difference = &trace.Difference{Kind: "operator", WasWhere: "a.go:4", What: "the operator", Now: "mm", Was: "bmm"}
	elsewhere.Advice, elsewhere.Exact, elsewhere.Where = "", "", ""
	list := lazy.Recompilations{
		{Device: "d", Step: 1, Program: 1, Where: "a.go:9", Calls: 4, Took: 1500 * time.Nanosecond},
		shape(2, 2, time.Millisecond), shape(3, 3, 2*time.Millisecond),
		{Device: "d", Step: 4, Program: 4, Where: "a.go:9", Calls: 4, Nearest: 1, Took: time.Millisecond},
		elsewhere,
	}
	require.Equal(t, `step 1, a.go:9, program 1 of 4 calls (2µs): nothing like it was compiled before
step 3, a.go:9, program 3 of 4 calls (2ms): like program 1 but for input 0 of mm at a.go:3: f32[3], was f32[2]
    2 programs for this reason since step 2, 3ms
    pad
    no bucket: no mask
step 4, a.go:9, program 4 of 4 calls (1ms): the same as program 1, which was not in the cache any more
step 5, an unknown place, program 5 of 4 calls (1ms): like program 1 but for the operator of an unknown place at an unknown place: mm, was bmm at a.go:4
`, list.String())
}

// TestMetricsText: what was computed twice, and warnings, stand after the report.
func TestMetricsText(t *testing.T) {
	var m lazy.Metrics
	m.Counters = map[string]int64{"B": 2, "A": 1}
	m.Recomputed = map[string]int{"b.go:2": 3, "a.go:1": 1}
	m.Warnings = []string{"slow"}
	require.Equal(t, m.Report()+"Recomputed at a.go:1: 1 (a Sync there would have kept it)\n"+
		"Recomputed at b.go:2: 3 (a Sync there would have kept it)\nWarning: slow\n", m.String())
	require.Equal(t, metrics.Snapshot{Counters: m.Counters}.Report(), metrics.Snapshot{Counters: m.Counters}.String())
}
