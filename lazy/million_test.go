package lazy_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// loop records calls on one number: x becomes (x+1)·½ again and again, which tends to 1. each is called
// after every thousand.
func loop(t *testing.T, r *lazy.Runtime, calls int, each func()) value {
	one, half := trace.Leaf(buf.From([]float32{1}, 1)), trace.Leaf(buf.From([]float32{0.5}, 1))
	add, mul := ops.MustLookup("add.Tensor"), ops.MustLookup("mul.Tensor")
	var x ops.Value = trace.Leaf(buf.From([]float32{9}, 1))
	for i := range calls {
		op, by := add, one
		if i%2 == 1 {
			op, by = mul, half
		}
		n, err := r.Record(op, ops.TensorArg(x), ops.TensorArg(by))
		require.NoError(t, err)
		if x = n; i%1000 == 0 {
			each()
		}
	}
	return value{r, x}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Ten million calls without a barrier, under a bound on what is pending, need no more memory than one
// million.
func TestMillionsUnderMaxPending(t *testing.T) {
	calls := longtest.Sample(100_000, 200_000, 10_000_000)
	r := newRuntime(t)
	r.MaxPending(0, 20_000)
	runtime.GC()
	before, peak, samples := heap(), int64(0), 0
	x := loop(t, r, calls, func() {
		if samples++; samples%100 == 0 {
			runtime.GC()
			peak = max(peak, heap()-before)
			require.LessOrEqual(t, r.Metrics().Gauges["PendingNodes"], int64(20_000))
		}
	})
	require.NoError(t, lazy.Sync(context.Background(), x))
	require.InDelta(t, 1, data(x)[0], 1e-6)
	t.Logf("%d calls: %d KiB at most, %d programs, %d cuts", calls, peak>>10, r.Metrics().CompiledPrograms,
		r.Metrics().Counters["TraceCuts"])
	require.Less(t, peak, int64(24<<20))
	require.LessOrEqual(t, r.Metrics().CompiledPrograms, 4)
}

// A long trace without a bound takes time of processors in proportion to its calls, which is asserted of a million, and
// its programs are few.
func TestLongTraceIsLinear(t *testing.T) {
	short, times := longtest.Sample(5_000, 5_000, 100_000), 10
	took := map[int]time.Duration{}
	for _, calls := range []int{short, short * times} {
		best := time.Hour
		for range longtest.Sample(1, 1, 3) {
			r := newRuntime(t)
			r.MaxPending(0, 0)
			start := cputime.Used()
			x := loop(t, r, calls, func() {})
			require.NoError(t, lazy.Sync(context.Background(), x))
			best = min(best, cputime.Used()-start)
			require.InDelta(t, 1, data(x)[0], 1e-6)
			require.LessOrEqual(t, r.Metrics().CompiledPrograms, 3)
		}
		took[calls] = best
		t.Logf("%d calls: %v, %v each", calls, best, best/time.Duration(calls))
	}
	if longtest.On() {
		require.Less(t, took[short*times], time.Duration(2*times)*took[short])
	}
}
