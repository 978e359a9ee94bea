package lazy_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// slow is a device that counts compilations and takes its time.
type slow struct {
	device.Device
	compiled atomic.Int32
	started  chan struct{}
	release  chan struct{} // if set, compilations wait for it instead of the time
	fail     atomic.Bool
}

func (s *slow) Compile(ctx context.Context, module *mlir.Operation) (device.Executable, error) {
	s.compiled.Add(1)
	select {
	case s.started <- struct{}{}:
	default: // nobody wants to know
	}
	late := time.After(50 * time.Millisecond)
	if s.release != nil {
		late = nil
	}
	select {
	case <-late:
	case <-s.release:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.fail.Load() {
		return nil, errors.New("no")
	}
	return s.Device.Compile(ctx, module)
}

// Goroutines that need one program at once compile it once.
func TestCompileOnce(t *testing.T) {
	dev := &slow{Device: acap.Device()}
	r := lazy.For(dev)
	var wait sync.WaitGroup
	for range 16 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			y := value{r, leaf(1, -2, 3)}.call(t, "cos").call(t, "neg")
			if err := lazy.Sync(context.Background(), y); err != nil {
				t.Error(err)
			}
		}()
	}
	wait.Wait()
	require.EqualValues(t, 1, dev.compiled.Load())
	require.EqualValues(t, 1, r.Metrics().CompiledPrograms)
	require.EqualValues(t, 15, r.Metrics().CachedPrograms)
}

// A compilation that fails or is cancelled is not what others get who wait for it.
func TestCompileOnceFails(t *testing.T) {
	dev := &slow{Device: acap.Device(), started: make(chan struct{}, 8), release: make(chan struct{})}
	r := lazy.For(dev)
	x := value{r, leaf(1, -2)}
	ctx, cancel := context.WithCancel(context.Background())
	first := make(chan error)
	go func() { first <- lazy.Sync(ctx, x.call(t, "cos")) }()
	<-dev.started
	second := make(chan error)
	y := x.call(t, "cos")
	go func() { second <- lazy.Sync(context.Background(), y) }()
	cancel()
	require.ErrorIs(t, <-first, context.Canceled)
	close(dev.release)
	require.NoError(t, <-second)
	require.EqualValues(t, 2, dev.compiled.Load())
	<-dev.started // of the second

	waiting, stop := context.WithTimeout(context.Background(), time.Millisecond)
	defer stop()
	dev.release = make(chan struct{})
	go func() { first <- lazy.Sync(context.Background(), x.call(t, "sin")) }()
	<-dev.started
	require.ErrorIs(t, lazy.Sync(waiting, x.call(t, "sin")), context.DeadlineExceeded)
	close(dev.release)
	require.NoError(t, <-first)

	dev.fail.Store(true)
	require.EqualError(t, lazy.Sync(context.Background(), x.call(t, "tan")), "no")
	dev.fail.Store(false)
	require.NoError(t, lazy.Sync(context.Background(), x.call(t, "tan")))
}

// What a barrier of a cancelled context returns does not depend on what is cached.
func TestCancelledWarm(t *testing.T) {
	r := newRuntime(t)
	x := value{r, leaf(1, -2)}
	require.NoError(t, lazy.Sync(context.Background(), x.call(t, "relu")))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	y := x.call(t, "relu")
	require.ErrorIs(t, lazy.Sync(ctx, y), context.Canceled)
	require.Nil(t, lazy.Data(y.v))
	require.NoError(t, lazy.Sync(context.Background(), y))
	require.Equal(t, []float32{1, 0}, data(y))
}

// Closing what Executable returns ends that handle and nothing else.
func TestExecutableIsAHandle(t *testing.T) {
	r := newRuntime(t)
	x := value{r, leaf(1, -2)}
	for range 2 {
		exe, err := lazy.Executable(context.Background(), x.call(t, "relu"))
		require.NoError(t, err)
		exe.Close()
	}
	y := x.call(t, "relu")
	require.NoError(t, lazy.Sync(context.Background(), y))
	require.Equal(t, []float32{1, 0}, data(y))
	exe, err := lazy.Executable(context.Background(), x.call(t, "relu"))
	require.NoError(t, err)
	r.Clear()
	_, err = exe.Run(context.Background(), []*buf.Buffer{buf.From([]float32{3, 4}, 2)})
	require.NoError(t, err, "a handle outlives the cache")
}

// An error names the line of the trace that failed, and not of that which was compiled.
func TestErrorsNameTheirOwnLine(t *testing.T) {
	r := newRuntime(t)
	gather := func(i int64) value {
		index := trace.Leaf(buf.From([]int64{i}, 1))
		n, err := r.Record(ops.MustLookup("gather"), ops.TensorArg(leaf(1, 2)), ops.IntArg(0), ops.TensorArg(index))
		require.NoError(t, err)
		return value{r, n}
	}
	at := func(v value) int {
		n, _ := trace.Of(v.v)
		return n.Location().Line
	}
	require.NoError(t, lazy.Sync(context.Background(), gather(1)))
	trace.Within("second", func() {
		trace.SetLocation(mlir.Location{File: "model.py", Line: 77})
		v := gather(5)
		require.Equal(t, 77, at(v))
		err := lazy.Sync(context.Background(), v)
		var failed *device.RunError
		require.ErrorAs(t, err, &failed)
		require.EqualError(t, err, "model.py:77: gather: index out of range: 5 of dimension 0, whose extent is 2")
	})
	require.Equal(t, 1, r.Metrics().CompiledPrograms)
}

// The cache forgets the programs used longest ago, by number and by bytes.
func TestCacheLimit(t *testing.T) {
	r := newRuntime(t)
	run := func(n int) {
		require.NoError(t, lazy.Sync(context.Background(), value{r, leaf(make([]float32, n)...)}.call(t, "neg")))
	}
	compiled := func(n int) int {
		before := r.Metrics().CompiledPrograms
		run(n)
		return r.Metrics().CompiledPrograms - before
	}
	r.CacheLimit(2, 0)
	run(1)
	run(2)
	require.Zero(t, compiled(1))
	run(3)
	require.Zero(t, compiled(1), "used more recently")
	require.Equal(t, 1, compiled(2))
	require.EqualValues(t, 2, r.Metrics().Gauges["CachedPrograms"])
	r.CacheLimit(0, 1)
	require.EqualValues(t, 1, r.Metrics().Gauges["CachedPrograms"], "the newest stays")
	require.Zero(t, compiled(2))
	r.CacheLimit(0, 0)
	for n := range 20 {
		run(n + 1)
	}
	require.EqualValues(t, 20, r.Metrics().Gauges["CachedPrograms"])
	require.EqualValues(t, 27, r.Metrics().Counters["acap::neg"], "counts of programs that are gone are kept")
}

// What a program keeps of weights goes with the weights.
func TestCacheKeepsNoWeights(t *testing.T) {
	r := newRuntime(t)
	const n = 1 << 10
	x := trace.Leaf(buf.New(dtype.F32, []int{8, n}))
	heap := func() int64 {
		for range 5 {
			runtime.GC()
			time.Sleep(2 * time.Millisecond)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	model := func() {
		w := trace.Constant(buf.New(dtype.F32, []int{n, n}))
		require.NoError(t, lazy.Sync(context.Background(), value{r, x}.call(t, "mm", w)))
	}
	model()
	before := heap()
	for range 6 {
		model()
	}
	require.Less(t, heap()-before, int64(2*4*n*n), "of 6 sets of weights at most one and its packed copy stay")
}

// A device that nobody has any more is forgotten, with its runtime and its programs.
func TestDevicesAreForgotten(t *testing.T) {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	var gone atomic.Int32
	func() {
		dev := acap.New(m)
		r := lazy.For(dev)
		require.Same(t, r, lazy.For(dev))
		require.NoError(t, lazy.Sync(context.Background(), value{r, leaf(1)}.call(t, "neg")))
		runtime.AddCleanup(dev, func(struct{}) { gone.Add(1) }, struct{}{})
		runtime.AddCleanup(r, func(struct{}) { gone.Add(1) }, struct{}{})
	}()
	require.Eventually(t, func() bool { runtime.GC(); return gone.Load() == 2 }, time.Minute, time.Millisecond)
}
