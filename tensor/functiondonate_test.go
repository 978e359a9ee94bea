package tensor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/race"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// address is where a tensor's first byte is, without giving it to Go code for good.
func address(x *tensor.Tensor) *byte {
	_, v := x.Trace()
	n, result := trace.Of(v)
	return &n.Data(result).Bytes()[0]
}

// state writes a row at a place of a state, and sums what is there.
func state() *lazy.Function[*tensor.Tensor] {
	return lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		next := x[0].IndexCopy(0, x[1], x[2])
		return []*tensor.Tensor{next, next.SumDim([]int{0})}
	}).Donate(1)
}

// TestFunctionDonates: a state that a function takes and returns stays where it is, and the one before is gone.
func TestFunctionDonates(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	f := state()
	row := func(v float32) *tensor.Tensor { return tensor.FullLike(float64(v), dtype.F32, 1, 64).To(dev) }
	at := func(i int64) *tensor.Tensor { return tensor.FromSlice([]int64{i}).To(dev) }
	x := tensor.Zeros(8, 64).To(dev)
	var where *byte
	for i := range 8 {
		out, err := f.Call(ctx, x, at(int64(i)), row(float32(i+1)))
		require.NoError(t, err)
		require.Equal(t, float32((i+1)*(i+2)/2), out[1].Float32s()[63])
		if before := x; i > 0 {
			require.Same(t, where, address(out[0]))
			err := tensor.Try(func() { before.Float32s() })
			var gone *lazy.RecycledError
			require.ErrorAs(t, err, &gone)
		}
		x = out[0]
		where = address(x)
	}

	// What a recorded call awaits, what Go code has, and what is frozen stays.
	awaited := x.Neg()
	out, err := f.Call(ctx, x, at(0), row(100))
	require.NoError(t, err)
	require.NotSame(t, where, address(out[0]))
	require.Equal(t, float32(-1), awaited.Float32s()[0])
	read := out[0]
	had := read.Float32s()
	out, err = f.Call(ctx, read, at(0), row(200))
	require.NoError(t, err)
	require.Equal(t, float32(100), had[0])
	frozen := out[0].Freeze()
	_, err = f.Call(ctx, frozen, at(0), row(300))
	require.NoError(t, err)
	require.Equal(t, float32(200), frozen.Float32s()[0])

	// An argument that comes twice is read as it was, and later results have its memory.
	twice := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		return []*tensor.Tensor{x[0].IndexCopy(0, x[2], x[1].Narrow(0, 7, 1))}
	}).Donate(1)
	places := map[*byte]bool{}
	for range 8 {
		out, err = twice.Call(ctx, out[0], out[0], at(0))
		require.NoError(t, err)
		places[address(out[0])] = true
	}
	require.LessOrEqual(t, len(places), 3)
	require.Equal(t, float32(8), out[0].Float32s()[0])
}

// TestFunctionDonatesAndFails: who cancels in front of the run has the state that there was.
func TestFunctionDonatesAndFails(t *testing.T) {
	dev := freshDevice(t)
	f := state()
	x, at, row := tensor.Ones(8, 64).To(dev), tensor.FromSlice([]int64{0}).To(dev), tensor.Zeros(1, 64).To(dev)
	for range 2 {
		out, err := f.Call(context.Background(), x, at, row)
		require.NoError(t, err)
		x = out[0]
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := f.Call(cancelled, x, at, row)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, float32(1), x.Float32s()[64])
}

// TestFunctionExplains: what a call would run is told without running it, and the state is still there.
func TestFunctionExplains(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	f := state()
	x, at, row := tensor.Ones(8, 64).To(dev), tensor.FromSlice([]int64{0}).To(dev), tensor.Zeros(1, 64).To(dev)
	for range 2 {
		out, err := f.Call(ctx, x, at, row)
		require.NoError(t, err)
		x = out[0]
	}
	where, runs := address(x), lazy.For(dev).Metrics().Timers["ExecuteTime"].Samples
	e, err := f.Explain(x, at, row)
	require.NoError(t, err)
	require.True(t, e.Cached)
	require.Equal(t, 2, e.Calls)
	require.NotEmpty(t, e.Kernels)
	require.Equal(t, runs, lazy.For(dev).Metrics().Timers["ExecuteTime"].Samples)
	out, err := f.Call(ctx, x, at, row)
	require.NoError(t, err)
	require.Same(t, where, address(out[0]), "nothing waits for the state")
	_, err = f.Explain()
	require.ErrorContains(t, err, "needs an argument")
}

// TestFunctionTellsOfNaN: a function is recorded where somebody wants to know which call made a NaN.
func TestFunctionTellsOfNaN(t *testing.T) {
	dev := freshDevice(t)
	f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].Log().Add(x[0])} })
	call := func(v float64) error {
		_, err := f.Call(context.Background(), tensor.FullLike(v, dtype.F32, 3).To(dev))
		return err
	}
	require.NoError(t, call(-1))
	lazy.StopAtNaN(true)
	defer lazy.StopAtNaN(false)
	require.NoError(t, call(1))
	var nan *lazy.NaNError
	err := call(-1)
	require.ErrorAs(t, err, &nan)
	require.ErrorContains(t, err, "log")
}

// TestFunctionAllocates: a call allocates its results and their handles, however many operators there are in it.
func TestFunctionAllocates(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	ctx := context.Background()
	dev := freshDevice(t)
	chain := func(calls int) float64 {
		f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
			y := x[0]
			for range calls {
				y = y.Mul(x[1]).Sin()
			}
			return []*tensor.Tensor{y}
		}).Donate(1)
		x, two := tensor.Ones(16).To(dev), tensor.FullLike(2, dtype.F32, 16).To(dev)
		return testing.AllocsPerRun(100, func() {
			out, err := f.Call(ctx, x, two)
			if err != nil {
				t.Fatal(err)
			}
			x = out[0]
		})
	}
	few, many := chain(2), chain(60)
	require.LessOrEqual(t, few, 4.0, "a buffer, a leaf, a tensor, the list")
	require.Equal(t, few, many)
}

// TestFunctionFixed: a tensor of outside may be used if it is said to keep its value, and is not packed for that.
func TestFunctionFixed(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	w, x := tensor.FullLike(3, dtype.F32, 64, 64).To(dev), tensor.Ones(64, 64).To(dev)
	f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].MatMul(w)} })
	_, err := f.Call(ctx, x)
	require.ErrorContains(t, err, "not said to be fixed")
	f.Fixed(w)
	for range 3 {
		out, err := f.Call(ctx, x)
		require.NoError(t, err)
		require.Equal(t, float32(192), out[0].Float32s()[63])
	}
	e, err := f.Explain(x)
	require.NoError(t, err)
	require.Zero(t, e.PackedOnce)
	// A product of the tensor alone is kept on every processor if the tensor is frozen, and never if it is fixed.
	kept := func(w *tensor.Tensor, fixed ...*tensor.Tensor) int64 {
		f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].MatMul(w.MatMul(w))} })
		before := lazy.For(dev).Metrics().Counters["PackedBytes"]
		_, err := f.Fixed(fixed...).Call(ctx, x)
		require.NoError(t, err)
		return lazy.For(dev).Metrics().Counters["PackedBytes"] - before
	}
	require.Zero(t, kept(w, w))
	require.Positive(t, kept(w.AddScalar(0).Freeze()))
	var wrong *ops.ArgError
	require.ErrorAs(t, tensor.Try(func() { f.Donate(-1) }), &wrong)
	require.ErrorAs(t, tensor.Try(func() { f.Fixed(nil) }), &wrong)
	_, err = f.Donate(100).Call(ctx, x)
	require.NoError(t, err, "more than there are")
}
