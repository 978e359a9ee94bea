package lazy_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// counting is a device that notes how many results each run has.
type counting struct {
	device.Device
	results  []int
	warnings []string // of the next program
}

func (d *counting) Compile(ctx context.Context, module *mlir.Operation) (device.Executable, error) {
	exe, err := d.Device.Compile(ctx, module)
	return &counted{exe, d, slices.Clone(d.warnings)}, err
}

type counted struct {
	device.Executable
	of       *counting
	warnings []string
}

func (p *counted) RunInto(ctx context.Context, inputs, results []*buf.Buffer) error {
	p.of.results = append(p.of.results, len(results))
	return p.Executable.RunInto(ctx, inputs, results)
}

func (p *counted) Division() []device.Group { return nil }
func (p *counted) Warnings() []string       { return p.warnings }

// TestAskedTwice: a value that is asked for several times is one result, whether the values are many or few,
// and all results of a call are computed together.
func TestAskedTwice(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{1, 5, 31, 32, 33, 60} {
		dev := &counting{Device: acap.Device()}
		r := lazy.For(dev)
		x := leaf(3, 1, 2)
		kept := value{r, x}.call(t, "cos")
		require.NoError(t, lazy.Sync(ctx, kept.call(t, "neg"))) // computes kept, and does not keep it
		sorted := must(r.Record(ops.MustLookup("sort"), ops.TensorArg(kept.v)))
		values := []lazy.Value{kept, value{r, sorted.Result(1)}, value{r, sorted}}
		for range n {
			y := kept.call(t, "exp")
			values = append(values, y, y)
		}
		values = append(values, values...)
		require.NoError(t, lazy.Sync(ctx, values...))
		require.Equal(t, []int{1, n + 3}, dev.results)
		for _, v := range values {
			require.NotNil(t, lazy.Data(v.(value).v))
		}
		require.Equal(t, []int64{0, 2, 1}, buf.Slice[int64](lazy.Data(sorted.Result(1))), "the cosine falls up to pi")
	}
}

// TestValuesAreKeptTheSecondTime: what a barrier computed on the way is kept by the next one that needs it, all
// results of its call, also where both programs are cached.
func TestValuesAreKeptTheSecondTime(t *testing.T) {
	ctx := context.Background()
	dev := &counting{Device: acap.Device()}
	r := lazy.For(dev)
	for i := range 3 {
		sorted := must(r.Record(ops.MustLookup("sort"), ops.TensorArg(leaf(2, 3, 1))))
		require.NoError(t, lazy.Sync(ctx, value{r, sorted}.call(t, "neg")))
		require.True(t, sorted.Pending())
		last := value{r, sorted.Result(0)}.call(t, "exp")
		require.NoError(t, lazy.Sync(ctx, last))
		require.False(t, sorted.Pending())
		require.Equal(t, []float32{1, 2, 3}, data(value{r, sorted}))
		require.Equal(t, []int64{2, 0, 1}, buf.Slice[int64](lazy.Data(sorted.Result(1))))
		require.InDelta(t, 20.0855, data(last)[2], 1e-3)
		require.NoError(t, lazy.Sync(ctx, value{r, sorted}.call(t, "cos")))
		require.Equal(t, []int{1, 3, 1}, dev.results[3*i:], "then it is an input")
	}
	recomputed := r.Metrics().Recomputed
	require.Len(t, recomputed, 1)
	for _, times := range recomputed {
		require.Equal(t, 3, times)
	}
}

// TestReset: after a reset the counts cover later barriers, of programs old and new, and of calls on the host outside
// of programs; programs that leave the cache change no count.
func TestReset(t *testing.T) {
	ctx := context.Background()
	dev := &counting{Device: acap.Device(), warnings: []string{"a group is too large"}}
	r := lazy.For(dev)
	run := func(names ...string) {
		for _, name := range names {
			require.NoError(t, lazy.Sync(ctx, value{r, leaf(1, 2)}.call(t, name)))
		}
	}
	find := func() {
		_, err := r.Record(ops.MustLookup("nonzero"), ops.TensorArg(leaf(1, 2)))
		require.NoError(t, err)
	}
	counts := func() map[string]int64 {
		m := r.Metrics()
		calls := map[string]int64{}
		for name, n := range m.Counters {
			if slices.Contains([]string{"acap::neg", "acap::cos", "acap::exp", "aten::nonzero", "CachedCompile", "UncachedCompile"}, name) {
				calls[name] = n
			}
		}
		require.EqualValues(t, m.CachedPrograms, calls["CachedCompile"])
		require.EqualValues(t, m.CompiledPrograms, calls["UncachedCompile"])
		require.Equal(t, m.Timers["CompileTime"].Total, m.CompileTime)
		require.Equal(t, m.Timers["ExecuteTime"].Total, m.ExecuteTime)
		require.EqualValues(t, calls["aten::nonzero"], m.Fallbacks["aten.nonzero"])
		require.EqualValues(t, m.CachedPrograms+m.CompiledPrograms, m.Timers["ExecuteTime"].Samples)
		return calls
	}
	run("neg", "cos", "cos")
	find()
	require.Equal(t, map[string]int64{"acap::neg": 1, "acap::cos": 2, "aten::nonzero": 1, "CachedCompile": 1, "UncachedCompile": 2}, counts())
	require.Equal(t, []string{"a group is too large", "a group is too large"}, r.Metrics().Warnings)
	shared := value{r, leaf(1, 2)}.call(t, "neg")
	require.NoError(t, lazy.Sync(ctx, shared.call(t, "cos")))
	require.NoError(t, lazy.Sync(ctx, shared.call(t, "exp")))
	require.NotEmpty(t, r.Metrics().Recomputed)
	for range 2 {
		r.ResetMetrics()
		require.Equal(t, map[string]int64{"CachedCompile": 0, "UncachedCompile": 0}, counts())
		require.Empty(t, r.Metrics().Warnings)
		require.Empty(t, r.Metrics().Recomputed)
		require.Zero(t, r.Metrics().ExecuteTime)
		run("neg", "cos", "cos")
		find()
		want := map[string]int64{"acap::neg": 1, "acap::cos": 2, "aten::nonzero": 1, "CachedCompile": 3, "UncachedCompile": 0}
		require.Equal(t, want, counts())
		r.CacheLimit(1, 0)
		require.Equal(t, want, counts(), "programs are gone")
		r.CacheLimit(0, 0)
		run("exp", "neg", "cos")
		want["acap::exp"], want["acap::neg"], want["acap::cos"] = 1, 2, 3
		want["CachedCompile"], want["UncachedCompile"] = 4, 2
		require.Equal(t, want, counts())
	}
}

// TestWarningsAreBounded: the last thousand stay.
func TestWarningsAreBounded(t *testing.T) {
	dev := &counting{Device: acap.Device()}
	r := lazy.For(dev)
	for i, n := range []int{999, 1, 2} {
		dev.warnings = slices.Repeat([]string{[]string{"a", "b", "c"}[i]}, n)
		require.NoError(t, lazy.Sync(context.Background(), value{r, leaf(make([]float32, i+1)...)}.call(t, "neg")))
	}
	list := r.Metrics().Warnings
	require.Len(t, list, 1000)
	require.Equal(t, []string{"a", "a", "b", "c", "c"}, list[995:])
}

// TestCompileTime: how long a program took to compile is in the reasons and in the metrics.
func TestCompileTime(t *testing.T) {
	r := lazy.For(&slow{Device: acap.Device()})
	require.NoError(t, lazy.Sync(context.Background(), value{r, leaf(1)}.call(t, "neg")))
	why := r.WhyRecompiled()
	require.GreaterOrEqual(t, why[0].Took, 50*time.Millisecond)
	require.Equal(t, why[0].Took, r.Metrics().CompileTime)
}

// TestTrackedMemory: tensors of 4 KiB and more count as live, until the peak is forgotten and they are collected.
func TestTrackedMemory(t *testing.T) {
	r := newIdle()
	before := r.Metrics().Gauges
	small, large := buf.From(make([]float32, 1023), 1023), buf.From(make([]float32, 1024), 1024)
	r.Received(small)
	require.Equal(t, before, r.Metrics().Gauges)
	n := r.Received(large)
	for name, want := range map[string]int64{"LiveTensors": 1, "LiveBytes": 4096, "PeakBytes": 4096} {
		require.Equal(t, want, r.Metrics().Gauges[name], name)
	}
	require.Equal(t, large, n.Data(0))
	require.EqualValues(t, 4*(1023+1024), r.Metrics().Counters["TransferToDeviceBytes"])
	require.EqualValues(t, 2, r.Metrics().Timers["TransferToDeviceTime"].Samples)
	other := r.Received(buf.From(make([]float32, 2048), 2048))
	r.ResetMetrics()
	require.EqualValues(t, 3*4096, r.Metrics().Gauges["PeakBytes"])
	require.Zero(t, r.Metrics().Timers["TransferToDeviceTime"].Samples)
	require.False(t, n.Pending() || other.Pending(), "both are alive")
}
