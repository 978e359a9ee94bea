package lazy_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// What Start computes is there once it is needed; the caller goes on meanwhile.
func TestStart(t *testing.T) {
	dev := &slow{Device: acap.Device(), started: make(chan struct{}, 8), release: make(chan struct{})}
	r := lazy.For(dev)
	y := value{r, leaf(1, -2)}.call(t, "neg")
	f := lazy.Start(context.Background(), y)
	<-dev.started
	z := y.call(t, "relu") // while y is compiled
	select {
	case <-f.Done():
		t.Fatal("Start waits")
	default:
	}
	close(dev.release)
	require.NoError(t, lazy.Sync(context.Background(), z))
	require.NotNil(t, lazy.Data(y.v), "z waited for y")
	require.Equal(t, []float32{0, 2}, data(z))
	require.NoError(t, f.Wait())
	require.EqualValues(t, 2, dev.compiled.Load(), "y was computed once")
}

// A flight that fails leaves its values pending; who needs them gets the error.
func TestStartFails(t *testing.T) {
	dev := &slow{Device: acap.Device()}
	dev.fail.Store(true)
	y := value{lazy.For(dev), leaf(1, -2)}.call(t, "neg")
	f := lazy.Start(context.Background(), y)
	require.EqualError(t, lazy.Sync(context.Background(), y), "no")
	require.EqualError(t, f.Wait(), "no")
	dev.fail.Store(false)
	require.NoError(t, lazy.Sync(context.Background(), y))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, lazy.Start(ctx, y.call(t, "cos")).Wait(), context.Canceled)
}

// Flights that need each other's values do not wait for each other.
func TestStartMany(t *testing.T) {
	r := newRuntime(t)
	a, b := value{r, leaf(1, 2)}.call(t, "neg"), value{r, leaf(3, 4)}.call(t, "neg")
	var flights []*lazy.Flight
	for range 50 {
		c, d := a.call(t, "add.Tensor", b.v), b.call(t, "mul.Tensor", a.v)
		flights = append(flights, lazy.Start(context.Background(), c, b), lazy.Start(context.Background(), d, a))
		a, b = c.call(t, "tanh"), d.call(t, "tanh")
	}
	for _, f := range flights {
		require.NoError(t, f.Wait())
	}
	require.NoError(t, lazy.Sync(context.Background(), a, b))
}

// NoSync names the line of a hidden barrier, and lets explicit ones pass.
func TestNoSync(t *testing.T) {
	r := newRuntime(t)
	x := value{r, leaf(1, -2)}
	y := x.call(t, "neg").call(t, "relu")
	read := func() error { _, err := r.Read(context.Background(), y.v); return err }
	var inner error
	err := lazy.NoSync(func() { inner = read() })
	var hidden *lazy.SyncError
	require.ErrorAs(t, inner, &hidden)
	require.ErrorAs(t, err, &hidden, "also if f goes on")
	require.Equal(t, 2, hidden.Calls)
	require.Regexp(t, `^barrier_test.go:\d+: reading it is a hidden barrier: it would run 2 pending calls`, err.Error())
	require.Nil(t, lazy.Data(y.v))

	require.ErrorAs(t, lazy.NoSync(func() { panic(inner) }), &hidden)
	require.Panics(t, func() { _ = lazy.NoSync(func() { panic("other") }) })
	require.ErrorAs(t, lazy.NoSync(func() {
		_, _ = r.Record(ops.MustLookup("nonzero"), ops.TensorArg(y.v))
	}), &hidden)
	require.NoError(t, lazy.NoSync(func() {
		require.NoError(t, lazy.Sync(context.Background(), y))
		require.NoError(t, read(), "there is nothing left to compute")
	}))
	z := y.call(t, "neg")
	require.NoError(t, lazy.NoSync(func() {
		var wait sync.WaitGroup
		wait.Add(1)
		go func() { defer wait.Done(); _, _ = r.Read(context.Background(), z.v) }()
		wait.Wait()
	}), "other goroutines are free")
}

// A trace that grows without a barrier is cut, always at the same place of the loop, so that all pieces are one
// program; results are the same as in one piece.
func TestMaxPending(t *testing.T) {
	step := func(t *testing.T, r *lazy.Runtime, h value, w, one ops.Value) value {
		wide := h.call(t, "mul.Tensor", w) // [1] by [64]: the state crosses with fewest bytes as [1]
		return value{r, must(r.Record(ops.MustLookup("mean.dim"), ops.TensorArg(wide.v), ops.IntsArg([]int{0}), ops.BoolArg(true)))}.
			call(t, "tanh").call(t, "add.Tensor", one)
	}
	run := func(t *testing.T, nodes, steps int) (*lazy.Runtime, float32) {
		r := newRuntime(t)
		r.MaxPending(0, nodes)
		w, one := trace.Leaf(buf.New(dtype.F32, []int{64})), leaf(1)
		w.Data(0).SetFloat64(0, 3)
		h := value{r, leaf(0.5)}
		for range steps {
			h = step(t, r, h, w, one)
		}
		require.NoError(t, lazy.Sync(context.Background(), h))
		return r, data(h)[0]
	}
	r, want := run(t, 0, 700)
	require.Zero(t, r.Metrics().Counters["TraceCuts"])
	r, got := run(t, 400, 700)
	require.InDelta(t, want, got, 1e-6)
	m := r.Metrics()
	require.Greater(t, m.Counters["TraceCuts"], int64(3))
	require.LessOrEqual(t, m.CompiledPrograms, 4, "pieces of a loop are one program:\n%v", r.WhyRecompiled())
}

func must(n *trace.Node, err error) *trace.Node {
	if err != nil {
		panic(err)
	}
	return n
}

// Data that a trace would hold counts, too.
func TestMaxPendingBytes(t *testing.T) {
	r := newRuntime(t)
	r.MaxPending(1<<20, 0)
	sum := value{r, leaf(make([]float32, 1<<12)...)}
	for range 400 { // 16 KiB each
		sum = sum.call(t, "add.Tensor", r.Received(buf.New(dtype.F32, []int{1 << 12})))
	}
	require.Greater(t, r.Metrics().Counters["TraceCuts"], int64(2))
}

// A program that needs more memory than the limit is refused before it runs, with the
// lines of its own trace.
func TestMemoryLimit(t *testing.T) {
	r := newRuntime(t)
	big := func() value {
		return value{r, trace.Leaf(buf.New(dtype.F32, []int{256, 1}))}.
			call(t, "add.Tensor", trace.Leaf(buf.New(dtype.F32, []int{1, 256})))
	}
	require.NoError(t, lazy.Sync(context.Background(), big()))
	defer lazy.MemoryLimit(lazy.MemoryLimit(100 << 10))
	err := lazy.Sync(context.Background(), big())
	var memory *device.MemoryError
	require.True(t, errors.As(err, &memory), err)
	require.Contains(t, err.Error(), "256 KiB of add.Tensor at lazy_test.go:")
}

// The reason of each compilation is known.
func TestWhyRecompiled(t *testing.T) {
	r := newRuntime(t)
	r.Clear()
	scaled := func(n int, by float64, f ...string) {
		v := value{r, leaf(make([]float32, n)...)}
		for _, name := range f {
			v = v.call(t, name)
		}
		y := value{r, must(r.Record(ops.MustLookup("mul.Scalar"), ops.TensorArg(v.v), ops.FloatArg(by)))}
		require.NoError(t, lazy.Sync(context.Background(), y))
	}
	scaled(2, 0.1, "neg", "cos")
	scaled(2, 0.1, "neg", "cos")
	require.Len(t, r.WhyRecompiled(), 1)
	require.Contains(t, r.WhyRecompiled().String(), "nothing like it")
	for _, c := range []struct {
		kind, what, now, was string
		run                  func()
	}{
		{"scalar", "argument other", "0.2", "0.1", func() { scaled(2, 0.2, "neg", "cos") }},
		{"shape", "input 0", "f32[3]", "f32[2]", func() { scaled(3, 0.1, "neg", "cos") }},
		{"operator", "the operator", "sin", "cos", func() { scaled(3, 0.1, "neg", "sin") }},
	} {
		c.run()
		all := r.WhyRecompiled()
		last := all[len(all)-1]
		require.NotNil(t, last.Difference, c.kind)
		require.Equal(t, c.kind, last.Difference.Kind)
		require.Equal(t, c.what, last.Difference.What)
		require.Equal(t, c.now, last.Difference.Now)
		require.Contains(t, last.Difference.Was, c.was)
		require.Regexp(t, `^barrier_test.go:\d+$`, last.Where)
	}
	require.Contains(t, r.WhyRecompiled().String(), "it is an input of this program")
	require.Equal(t, 5, r.WhyRecompiled()[3].Step)
}

func TestMetrics(t *testing.T) {
	r := newRuntime(t)
	b := buf.New(dtype.F32, []int{64, 64})
	for i := range 64 {
		b.SetFloat64(65*i, -2)
	}
	x := value{r, r.Received(b)}
	for range 3 {
		_, err := r.Read(context.Background(), x.call(t, "neg").call(t, "cholesky").v)
		require.NoError(t, err)
	}
	m := r.Metrics()
	require.EqualValues(t, 1, m.Counters["UncachedCompile"])
	require.EqualValues(t, 2, m.Counters["CachedCompile"])
	require.EqualValues(t, 3, m.Counters["acap::neg"])
	require.EqualValues(t, 3, m.Counters["HiddenBarriers"])
	require.EqualValues(t, 3*64*64*4, m.Counters["TransferFromDeviceBytes"])
	require.EqualValues(t, 64*64*4, m.Counters["TransferToDeviceBytes"])
	require.EqualValues(t, 1, m.Timers["CompileTime"].Samples)
	require.EqualValues(t, 3, m.Timers["ExecuteTime"].Samples)
	require.EqualValues(t, 3, m.Timers["TransferFromDeviceTime"].Samples)
	require.GreaterOrEqual(t, m.Gauges["PeakBytes"], int64(2*64*64*4))
	require.NotEmpty(t, m.Fallbacks)
	for name, n := range m.Fallbacks {
		require.EqualValues(t, 3*n/3, m.Counters["aten::"+name[len("aten."):]])
	}
	require.Contains(t, m.String(), "Counter: CachedCompile\n  Value: 2\n")
	r.ResetMetrics()
	after := r.Metrics()
	require.Zero(t, after.Counters["acap::neg"])
	require.Zero(t, after.CachedPrograms)
	require.NoError(t, lazy.Sync(context.Background(), x.call(t, "neg").call(t, "cholesky")))
	require.EqualValues(t, 1, r.Metrics().Counters["acap::neg"])
}

func TestPendingNodes(t *testing.T) {
	r := newRuntime(t)
	x := value{r, leaf(1)}
	for range 600 {
		x = x.call(t, "neg")
	}
	n := r.Metrics().Gauges["PendingNodes"]
	require.GreaterOrEqual(t, n, int64(512))
	require.LessOrEqual(t, n, int64(600))
	require.NoError(t, lazy.Sync(context.Background(), x))
	require.Zero(t, r.Metrics().Gauges["PendingNodes"])
}

func ExampleNoSync() {
	r := lazy.For(acap.Device())
	loss := value{r, must(r.Record(ops.MustLookup("neg"), ops.TensorArg(leaf(1, 2))))}
	err := lazy.NoSync(func() {
		_, _ = r.Read(context.Background(), loss.v) // as Item, Data and Println do
	})
	fmt.Println(err != nil)
	// Output: true
}

func ExampleStart() {
	r := lazy.For(acap.Device())
	y := value{r, must(r.Record(ops.MustLookup("neg"), ops.TensorArg(leaf(1, 2))))}
	running := lazy.Start(context.Background(), y) // returns at once
	fmt.Println(running.Wait(), data(y))
	// Output: <nil> [-1 -2]
}
