package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/emulator"
	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/base/race"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// briefly makes sampling short in a test.
func briefly(t *testing.T) {
	before := budget
	t.Cleanup(func() { budget = before })
	t.Setenv("PB_BUDGET", "0.001")
	require.NoError(t, readBudget())
}

// TestThreads: one process measures programs of several numbers of threads, each of which has scratch memory of its
// own.
func TestThreads(t *testing.T) {
	if cpu.Detect().Level == cpu.Portable {
		t.Skip("portable products have no memory for each thread")
	}
	briefly(t)
	memory := func(threads int) (bytes int64) {
		b := benchmark{name: "product", build: func(dev device.Device) work {
			ctx := context.Background()
			y := tensor.Randn(128, 128).To(dev).MatMul(tensor.Randn(128, 128).To(dev).T())
			exe, err := lazy.Executable(ctx, y)
			check(err)
			bytes = exe.Memory().Run
			data := lazy.Inputs(y)
			results, err := exe.Run(ctx, data)
			check(err)
			return work{step: func() { check(exe.RunInto(ctx, data, results)) }}
		}}
		require.Empty(t, b.measure(threads).Error)
		return bytes
	}
	t.Setenv("ACAP_THREADS", "")
	one := memory(1)
	require.Greater(t, memory(2), one)
	require.Equal(t, one, memory(1))
}

// TestEnvironment checks that settings that cannot be used are errors that say so.
func TestEnvironment(t *testing.T) {
	for _, c := range []struct{ variable, value, want string }{
		{"PB_BUDGET", "abc", "seconds"}, {"PB_BUDGET", "0", "seconds"}, {"PB_BUDGET", "-1", "seconds"},
		{"PB_BUDGET", "NaN", "seconds"}, {"PB_BUDGET", "+Inf", "seconds"},
		{"ACAP_PEERS", "peer", "NAME=COMMAND"}, {"ACAP_PEERS", "a=true;=false", "NAME=COMMAND"},
		{"ACAP_PYTHON", "/no/such/python", "interpreter"},
	} {
		t.Run(c.variable+"="+c.value, func(t *testing.T) {
			t.Setenv(c.variable, c.value)
			err := run([]string{"-case", "^mm_64$", "-peers"})
			require.True(t, environment.IsError(err), err)
			require.ErrorContains(t, err, c.variable)
			require.ErrorContains(t, err, strconv.Quote(c.value))
			require.ErrorContains(t, err, c.want)
		})
	}
}

// large reports whether a case takes long even for a moment: for the size of what it computes, or because it starts
// or compiles whole models, or records many calls.
func large(b *benchmark) bool {
	return b.flops > 3e8 || b.operators > 10_000 || strings.HasPrefix(b.name, "cold_") || strings.HasPrefix(b.name, "compile_")
}

// TestCases builds every case and runs it for a moment. A usual run leaves out the large ones, and each run leaves out
// two that take minutes, which random_1e4 covers.
func TestCases(t *testing.T) {
	briefly(t)
	minutes := map[string]bool{"random_1e5": true, "random_1e6": true}
	for i := range benchmarks {
		b := &benchmarks[i]
		if minutes[b.name] || !longtest.On() && (large(b) || i%5 > 0) {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			m := b.measure(1)
			if m.Error == errNoPyTorch.Error() {
				t.Skip(m.Error)
			}
			require.Empty(t, m.Error)
			require.Equal(t, b.name, m.Case)
			require.Positive(t, m.Min)
			require.GreaterOrEqual(t, m.Median, m.Min)
			require.Equal(t, b.flops > 0, m.GFLOPS > 0)
			require.Equal(t, b.bytes > 0, m.GBPS > 0)
			if race.Enabled {
				return
			}
			if b.once {
				if strings.HasPrefix(b.name, "trace_") {
					require.Less(t, *m.Bytes, 2048.0, "bytes an operator")
				}
				return
			}
			switch {
			case strings.HasPrefix(b.name, "ovh_") || strings.HasSuffix(b.name, "_train"):
			case b.loops:
				require.Less(t, *m.Allocs, 200.0, "a loop of a few turns")
			default:
				require.Less(t, *m.Allocs, 1.0, "a cached program allocates")
			}
			if b.name == "ovh_record" {
				require.LessOrEqual(t, *m.Allocs, 2.1, "recording allocates")
			}
		})
	}
}

// TestNames checks that names are distinct and that each finds its case.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range benchmarks {
		require.False(t, seen[b.name], b.name)
		seen[b.name] = true
		for _, suffix := range []string{"", "_fused"} {
			found, err := lookup(b.name + suffix)
			require.NoError(t, err)
			require.Equal(t, b.name, found.name)
		}
	}
	_, err := lookup("mm_65")
	require.ErrorContains(t, err, "mm_65")
	_, err = find("(")
	require.Error(t, err)
	_, err = find("^none$")
	require.ErrorContains(t, err, "none")
}

// fixed is a peer that takes a given time for some cases.
type fixed map[string]float64

func (f fixed) measure(b *benchmark, threads int) (measurement, bool) {
	ms, ok := f[b.name]
	return measurement{Peer: "fixed", Case: b.name, Threads: threads, Median: ms, Min: ms}, ok
}

func newSession(t *testing.T, pattern string, out *bytes.Buffer, peers ...peer) *session {
	briefly(t)
	cases, err := find(pattern)
	require.NoError(t, err)
	return &session{cases: cases, threads: []int{1}, rounds: 2, peers: peers, out: out}
}

// TestJSON reads the lines back.
func TestJSON(t *testing.T) {
	var out bytes.Buffer
	s := newSession(t, "^(mm_64|add_1e3)$", &out, fixed{"mm_64": 2})
	s.json = true
	require.NoError(t, s.run())
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 6) // two rounds of two cases, one of them with a peer
	var m map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &m))
	require.Equal(t, "acap", m["peer"])
	require.Equal(t, "mm_64", m["case"])
	require.EqualValues(t, 1, m["threads"])
	for _, key := range []string{"median_ms", "min_ms", "gflops"} {
		require.Positive(t, m[key], key)
	}
	require.Contains(t, lines[1], `"peer":"fixed"`)
}

// TestTable checks the ratios, their mean, and the plot.
func TestTable(t *testing.T) {
	for _, format := range []string{"svg", "png"} {
		var out bytes.Buffer
		s := newSession(t, "^(mm_64|add_1e3)$", &out, fixed{"mm_64": 2, "add_1e3": 3}, gonumPeer{})
		s.plotPath = filepath.Join(t.TempDir(), "ratios."+format)
		require.NoError(t, s.run())
		require.Contains(t, out.String(), "ratio")
		require.Contains(t, out.String(), "geometric mean of 2 ratios")
		ratios := s.ratios()
		require.Len(t, ratios, 2)
		require.Equal(t, "gonum", ratios[0].peer) // far below 2 ms
		require.InDelta(t, 3/typical(s.results[cell{"add_1e3", 1}][ours]).Median, ratios[1].value, 1e-9)
		data, err := os.ReadFile(s.plotPath)
		require.NoError(t, err)
		require.NotEmpty(t, data)
	}
	require.Error(t, plotRatios(nil, "none.svg"))
}

func TestGeomean(t *testing.T) {
	require.InDelta(t, 2, geomean([]float64{1, 4}), 1e-12)
	require.True(t, math.IsNaN(geomean(nil)))
}

func TestMatrixCase(t *testing.T) {
	for name, want := range map[string][3]int{"mm_512": {512, 512, 512}, "gemv_4096_dyn": {1, 4096, 4096},
		"mm_32x768x3072": {32, 768, 3072}} {
		m, k, n, ok := matrixCase(name)
		require.True(t, ok, name)
		require.Equal(t, want, [3]int{m, k, n})
	}
	for _, name := range []string{"mm_1024_bf16", "bmm_12x128x64x128", "add_1e3"} {
		_, _, _, ok := matrixCase(name)
		require.False(t, ok, name)
	}
}

// TestPeers runs the programs of the peers that are installed.
func TestPeers(t *testing.T) {
	list, err := scripts()
	require.NoError(t, err)
	if len(list) == 0 {
		t.Skip("neither PyTorch nor ONNX Runtime is installed")
	}
	t.Setenv("PB_BUDGET", "0.01")
	b, err := lookup("bert_layer")
	require.NoError(t, err)
	for _, p := range list {
		m, ok := p.measure(&b, 1)
		require.True(t, ok, p)
		require.Positive(t, m.Median)
		_, ok = p.measure(&benchmark{name: "none"}, 1)
		require.False(t, ok)
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-threads", "0"}, "-threads"}, {[]string{"-threads", "1,x"}, "-threads"},
		{[]string{"-case", "("}, "-case"}, {[]string{"-rounds", "0"}, "-rounds"},
		{[]string{"mm_64"}, "mm_64"}, {[]string{"one", "mm_64"}, "one CASE THREADS"},
		{[]string{"one", "mm_64", "0"}, "threads"}, {[]string{"one", "none", "1"}, "none"},
		{[]string{"-case", "^mm_64$", "-plot", "x.svg"}, "-peers"},
		{[]string{"-case", "^mm_64$", "-peers", "-plot", "x.gif"}, ".svg or .png"},
	} {
		require.ErrorContains(t, run(c.args), c.want, c.args)
	}
}

// TestUnknownKernels runs itself with a level of kernels that does not exist.
func TestUnknownKernels(t *testing.T) {
	if os.Getenv("ACAP_KERNELS") == "none" {
		require.ErrorContains(t, run([]string{"one", "mm_64", "1"}), "ACAP_KERNELS")
		return
	}
	cmd := emulator.Again("-test.run=^TestUnknownKernels$")
	cmd.Env = append(os.Environ(), "ACAP_KERNELS=none")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// TestSample checks that preparation is not timed and bases alternate with steps.
func TestSample(t *testing.T) {
	prepared, steps, bases := 0, 0, 0
	w := work{prepare: func() { prepared++ }, step: func() { steps++ }, base: func() { bases++ }}
	a, b := w.sample(1)
	require.Len(t, a, minSamples)
	require.Len(t, b, minSamples)
	require.Equal(t, prepared, steps)
	require.Equal(t, minSamples, bases)
	require.LessOrEqual(t, a.least(), a.median())
}

// TestInterruptedWarmUp: samples of a short step are as many calls long as ever if something else interrupts the last
// step before them.
func TestInterruptedWarmUp(t *testing.T) {
	var now time.Duration
	clock = func() time.Duration { return now }
	t.Cleanup(func() { clock = wall })
	const interrupted = 5
	calls := 0
	w := work{step: func() {
		now += time.Microsecond
		if calls++; calls == interrupted {
			now += time.Second
		}
	}}
	samples, _ := w.sample(time.Millisecond)
	require.Equal(t, int(sampleTime/time.Microsecond)+1, (calls-interrupted)/len(samples))
}

// TestGenerators checks that every generator of code takes a kernel, and that what one costs is counted.
func TestGenerators(t *testing.T) {
	var out strings.Builder
	require.NoError(t, generators([]string{"-case", "^mm_64$", "-rounds", "1"}, &out))
	found := map[string]bool{}
	for line := range strings.Lines(out.String()) {
		w := strings.Fields(line)
		require.Len(t, w, 5, line)
		found[w[0]] = true
		for _, n := range w[1:] {
			require.NotEqual(t, "0", n, line)
		}
	}
	for _, name := range []string{"nest", "gemm", "scan", "scatter", "random"} {
		require.Contains(t, found, name, out.String())
	}
	require.ErrorContains(t, generators([]string{"-target", "sse"}, &out), "sse")
	require.ErrorContains(t, generators([]string{"-rounds", "0"}, &out), "-rounds")
}
