package lazy_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// waiting is the number of calls that a value waits for.
func waiting(v value) int { return len(trace.Collect([]ops.Value{v.v}).Nodes) }

// TestPendingCalls: a chain never waits with more calls than the bound, a cut leaves at most half of them, and
// no chain is cut before it has as many. Without a bound it grows.
func TestPendingCalls(t *testing.T) {
	for _, most := range []int{0, 150, 400, 1000, 2500} {
		r := newIdle()
		require.Zero(t, r.Metrics().Gauges["PendingNodes"])
		r.MaxPending(0, most)
		x := value{r, leaf(1)}
		cuts, before := 0, 0
		for range 6000 {
			x = x.call(t, "neg")
			node, _ := trace.Of(x.v)
			now := node.Depth() // which a cut renews
			if now != before+1 {
				cuts++
				require.Equal(t, most, before+1, "it was cut when it was as long as it may be")
				require.LessOrEqual(t, now, most/2)
			}
			before = now
		}
		require.Equal(t, waiting(x), before)
		require.EqualValues(t, cuts, r.Metrics().Counters["TraceCuts"])
		require.Equal(t, most > 0, cuts > 0)
	}
}

// TestPendingFollowsMemory: without a bound of its own a trace has at most as many calls as compile in an eighth of
// the memory limit, and at least 1024.
func TestPendingFollowsMemory(t *testing.T) {
	defer lazy.MemoryLimit(lazy.MemoryLimit(1))
	for limit, most := range map[int64]int{1 << 20: 1024, 8 * 12 << 10 * 1500: 1500, 8 * 12 << 10 * 3000: 3000} {
		lazy.MemoryLimit(limit)
		r := newIdle()
		x := value{r, leaf(1)}
		for range most - 1 {
			x = x.call(t, "neg")
		}
		require.Equal(t, most-1, waiting(x))
		x = x.call(t, "neg")
		require.EqualValues(t, 1, r.Metrics().Counters["TraceCuts"], most)
		require.LessOrEqual(t, waiting(x), most/2)
	}
}

// TestPendingData: a trace that holds more data than it may is cut, also if it is short, and one that holds
// as much is not.
func TestPendingData(t *testing.T) {
	const size = 4 << 10
	for _, less := range []int64{0, 1} {
		r := newIdle()
		r.MaxPending(size-less, 0)
		x := value{r, trace.Leaf(buf.New(dtype.F32, []int{size / 4}))}
		for range 200 {
			x = x.call(t, "neg")
		}
		require.Equal(t, less > 0, r.Metrics().Counters["TraceCuts"] > 0)
	}
	for _, c := range []struct {
		bytes int64
		cuts  bool
	}{{100 * size, true}, {401 * size, false}, {0, false}} {
		r := newIdle()
		r.MaxPending(c.bytes, 0)
		sum := value{r, trace.Leaf(buf.New(dtype.F32, []int{size / 4}))}
		for range 400 {
			sum = sum.call(t, "add.Tensor", r.Received(buf.New(dtype.F32, []int{size / 4})))
		}
		require.Equal(t, c.cuts, r.Metrics().Counters["TraceCuts"] > 0, c.bytes)
		held := trace.Collect([]ops.Value{sum.v}).Bytes()
		require.True(t, !c.cuts || held <= 2*c.bytes, "%d bytes", held)
	}
}

// broken is a device that compiles nothing.
type broken struct{ device.Device }

func (broken) Compile(context.Context, *mlir.Operation) (device.Executable, error) {
	return nil, errors.New("no space")
}

// TestCutFails: the call that a trace is cut at has the error of the cut, and so has what runs at once on
// an eager device.
func TestCutFails(t *testing.T) {
	r := lazy.For(&struct{ broken }{broken{acap.Device()}})
	r.MaxPending(0, 200)
	x := value{r, leaf(1)}
	for range 199 {
		x = x.call(t, "neg")
	}
	_, err := r.Record(ops.MustLookup("neg"), ops.TensorArg(x.v))
	require.EqualError(t, err, "no space")

	e := lazy.For(&struct{ eagerly }{eagerly{broken{acap.Device()}}})
	_, err = e.Record(ops.MustLookup("neg"), ops.TensorArg(leaf(1)))
	require.EqualError(t, err, "no space")
	c := &ops.Call{Op: ops.MustLookup("neg"), Args: []ops.Arg{ops.TensorArg(leaf(1))}}
	require.NoError(t, c.Init())
	require.PanicsWithError(t, "no space", func() { e.Emit(c) })
	require.NotPanics(t, func() { r.Emit(c) })
	drawn := &ops.Call{Op: ops.MustLookup("dropout"), Args: []ops.Arg{ops.TensorArg(leaf(1)), ops.FloatArg(0.5), ops.BoolArg(true)}}
	require.NoError(t, drawn.Init())
	require.PanicsWithError(t, "no space", func() { e.Emit(drawn) })
	require.NotPanics(t, func() { r.Emit(drawn) })
}

// eagerly is a device that runs each call at once.
type eagerly struct{ device.Device }

func (eagerly) Eager() bool { return true }
