package lazy_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
)

// TestSeveralDevices: values of several devices are computed by one call, each in one program of its device.
func TestSeveralDevices(t *testing.T) {
	ctx := context.Background()
	for _, start := range []bool{false, true} {
		a, b := newRuntime(t), newRuntime(t)
		var list []lazy.Value
		for _, r := range []*lazy.Runtime{a, b, a, b} {
			list = append(list, value{r, leaf(1, float32(len(list)))}.call(t, "neg"))
		}
		if start {
			require.NoError(t, lazy.Start(ctx, list...).Wait())
		} else {
			require.NoError(t, lazy.Sync(ctx, list...))
		}
		for i, v := range list {
			require.Equal(t, []float32{-1, -float32(i)}, append([]float32{}, data(v.(value))...))
		}
		require.Equal(t, 1, a.Metrics().CompiledPrograms)
		require.Equal(t, 1, b.Metrics().CompiledPrograms)
		require.Nil(t, lazy.Inputs(list...), "they are on two devices")
	}
	require.NoError(t, lazy.Sync(ctx))
	good, bad := newRuntime(t), lazy.For(&struct{ broken }{broken{acap.Device()}})
	x, y := value{bad, leaf(1)}.call(t, "neg"), value{good, leaf(1)}.call(t, "neg")
	require.EqualError(t, lazy.Sync(ctx, x, y), "no space")
	require.EqualError(t, lazy.Start(ctx, x, y).Wait(), "no space")
	require.Equal(t, []float32{-1}, data(y), "the other device goes on")
}

// TestFlightsEnd: what a flight has computed, or could not, is awaited by nobody after it.
func TestFlightsEnd(t *testing.T) {
	ctx := context.Background()
	dev := &slow{Device: acap.Device(), started: make(chan struct{}, 8), release: make(chan struct{})}
	r := lazy.For(dev)
	x := value{r, leaf(1, -2)}
	y, z := x.call(t, "neg"), x.call(t, "relu")
	f := lazy.Start(ctx, y)
	<-dev.started
	waiting, stop := context.WithCancel(ctx)
	stop()
	require.ErrorIs(t, lazy.Sync(waiting, y.call(t, "cos")), context.Canceled, "who waits can be cancelled")
	other := lazy.Start(ctx, y, z)
	close(dev.release)
	require.NoError(t, f.Wait())
	require.NoError(t, other.Wait())
	require.Equal(t, [][]float32{{-1, 2}, {1, 0}}, [][]float32{data(y), data(z)})
	<-f.Done()
	require.NoError(t, lazy.Sync(ctx, y.call(t, "exp")))
	require.NoError(t, lazy.Start(ctx).Wait(), "of nothing")
}

// TestReadsAreCounted: data that leaves the device is counted each time, the time only where somebody waits, and a
// barrier that nobody asked for once.
func TestReadsAreCounted(t *testing.T) {
	ctx := context.Background()
	r := newRuntime(t)
	y := value{r, leaf(1, 2, 3)}.call(t, "neg")
	for range 3 {
		b, err := r.Read(ctx, y.v)
		require.NoError(t, err)
		require.Equal(t, []float32{-1, -2, -3}, buf.Slice[float32](b))
	}
	m := r.Metrics()
	require.EqualValues(t, 36, m.Counters["TransferFromDeviceBytes"])
	require.EqualValues(t, 1, m.Timers["TransferFromDeviceTime"].Samples)
	require.EqualValues(t, 1, m.Counters["HiddenBarriers"])
	p, err := r.Parameter(ctx, y.call(t, "cos").v, "owner")
	require.NoError(t, err)
	require.True(t, p.IsParameter() && p.NeedsGrad())
	require.Equal(t, "owner", p.Owner())
	require.EqualValues(t, 2, r.Metrics().Counters["HiddenBarriers"])
	require.NoError(t, lazy.Sync(ctx, y.call(t, "exp")))
	require.EqualValues(t, 2, r.Metrics().Counters["HiddenBarriers"])
}

// TestInputsOfPrograms are the data of the leaves, in the order of their first use.
func TestInputsOfPrograms(t *testing.T) {
	r := newRuntime(t)
	a, b, c := leaf(1), leaf(2), leaf(3)
	y := value{r, b}.call(t, "add.Tensor", a).call(t, "mul.Tensor", b)
	z := value{r, c}.call(t, "neg")
	var have []float32
	for _, in := range lazy.Inputs(z, y) {
		have = append(have, buf.Slice[float32](in)[0])
	}
	require.Equal(t, []float32{3, 2, 1}, have)
	require.NoError(t, lazy.Sync(context.Background(), z))
	require.Len(t, lazy.Inputs(z, y), 2, "what has been computed needs none")
	require.Empty(t, lazy.Inputs(z))
	kept := must(r.Record(ops.MustLookup("neg"), ops.TensorArg(z.v)))
	require.Equal(t, []float32{-3}, buf.Slice[float32](lazy.Inputs(value{r, kept})[0]))
	require.True(t, kept.Pending())
}
