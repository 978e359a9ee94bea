package tensor_test

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/race"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// parts are the elements of a state's parts.
func parts(t *testing.T, s *lazy.State[*tensor.Tensor]) (list [][]float32) {
	values, err := s.Values()
	require.NoError(t, err)
	for _, v := range values {
		list = append(list, v.Float32s())
	}
	return list
}

// rows is a state of a number of parts of 256 rows, and a function that writes a row of each at a place and sums the
// first part.
func rows(t *testing.T, dev device.Device, count int) (*lazy.State[*tensor.Tensor], *lazy.Function[*tensor.Tensor]) {
	var list []*tensor.Tensor
	for range count {
		list = append(list, tensor.Zeros(256, 64).To(dev))
	}
	s, err := lazy.NewState(context.Background(), list...)
	require.NoError(t, err)
	return s, lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		var out []*tensor.Tensor
		at, row := x[count], x[count+1]
		for i, part := range x[:count] {
			out = append(out, part.IndexCopy(0, at, row.AddScalar(i)))
		}
		return append(out, out[0].SumDim([]int{0}))
	})
}

// TestStateInPlace: parts that are changed in part are written where they are, and a call costs the same for many.
func TestStateInPlace(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	cost := func(count int) (bytes uint64, each float64) {
		s, f := rows(t, dev, count)
		at := make([]*tensor.Tensor, 8)
		for i := range at {
			at[i] = tensor.FromSlice([]int64{int64(i)}).To(dev)
		}
		row := tensor.Ones(1, 64).To(dev)
		call := func(i int) {
			out, err := s.Update(ctx, f, at[i], row)
			if err != nil {
				t.Fatal(err)
			}
			lazy.Donate(out[0])
		}
		call(0)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range at {
			call(i)
		}
		runtime.ReadMemStats(&after)
		for i, part := range parts(t, s) {
			require.Equal(t, float32(1+i), part[7*64+63])
			require.Zero(t, part[8*64])
		}
		return after.TotalAlloc - before.TotalAlloc, testing.AllocsPerRun(20, func() { call(3) })
	}
	few, once := cost(2)
	many, times := cost(20)
	if race.Enabled {
		return // the detector allocates as well
	}
	require.Less(t, few, uint64(64<<10), "bytes, less than one part has")
	require.Less(t, many, uint64(64<<10))
	require.Equal(t, once, times, "allocations of a call")
}

// TestStateReplaced: parts that change places, that are new, that stay, and that are arguments; with programs and,
// where NaN are looked for, without.
func TestStateReplaced(t *testing.T) {
	ctx := context.Background()
	for _, stop := range []bool{false, true} {
		dev := freshDevice(t)
		lazy.StopAtNaN(stop)
		defer lazy.StopAtNaN(false)
		full := func(v float64) *tensor.Tensor { return tensor.FullLike(v, dtype.F32, 64, 32).To(dev) }
		s, err := lazy.NewState(ctx, full(0), full(1), full(7), full(0))
		require.NoError(t, err)
		f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
			a, b, kept, argument := x[0], x[1], x[2], x[4]
			return []*tensor.Tensor{b, a.Add(b), kept, argument, a.Sub(kept)}
		})
		a, b := float32(0), float32(1)
		var last *tensor.Tensor
		for i := range 12 {
			given := full(float64(i))
			last = given
			out, err := s.Update(ctx, f, given)
			require.NoError(t, err)
			require.Equal(t, a-7, out[0].Float32s()[9])
			a, b = b, a+b
			for k, want := range []float32{a, b, 7, float32(i)} {
				require.Equal(t, want, parts(t, s)[k][2047], "part %d after call %d", k, i)
			}
		}
		require.EqualValues(t, 144, a, "the twelfth number of Fibonacci")

		lazy.StopAtNaN(false)
		_, err = s.Update(ctx, lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
			return []*tensor.Tensor{x[0].AddScalar(1), x[1].AddScalar(1), x[2].AddScalar(1), x[3].AddScalar(1)}
		}))
		require.NoError(t, err)
		require.Equal(t, []float32{8, 12}, []float32{parts(t, s)[2][0], parts(t, s)[3][0]})
		require.Equal(t, float32(11), last.Float32s()[0])
	}
}

// TestStateTakes: a tensor whose memory is free is gone, and others stay what they are.
func TestStateTakes(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	x := tensor.Ones(8, 64).To(dev)
	lazy.Donate(tensor.Ones(1).To(dev)) // from here on results may be taken
	free, read, awaited, frozen := x.AddScalar(1), x.AddScalar(2), x.AddScalar(3), x.AddScalar(4).Freeze()
	require.NoError(t, tensor.Sync(ctx, free, read, awaited))
	had, later := read.Float32s(), awaited.Neg()
	s, err := lazy.NewState(ctx, x, free, read, awaited, frozen)
	require.NoError(t, err)
	f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		var out []*tensor.Tensor
		for _, part := range x {
			out = append(out, part.MulScalar(10))
		}
		return out
	})
	out, err := s.Update(ctx, f)
	require.NoError(t, err)
	require.Empty(t, out)
	for i, part := range parts(t, s) {
		require.Equal(t, float32(10*(i+1)), part[511])
	}
	require.Equal(t, []float32{1, 3, -4, 5}, []float32{x.Float32s()[0], had[0], later.Float32s()[0], frozen.Float32s()[0]})
	var gone *lazy.RecycledError
	require.ErrorAs(t, tensor.Try(func() { free.Float32s() }), &gone)
	_, err = lazy.NewState(ctx, free)
	require.ErrorAs(t, err, &gone)
}

// TestStateExplains: what a call would run is told, and the parts are as they were.
func TestStateExplains(t *testing.T) {
	dev := freshDevice(t)
	s, f := rows(t, dev, 2)
	at, row := tensor.FromSlice([]int64{5}).To(dev), tensor.Ones(1, 64).To(dev)
	e, err := s.Explain(f, at, row)
	require.NoError(t, err)
	require.NotEmpty(t, e.Kernels)
	require.Zero(t, parts(t, s)[0][5*64])
	_, err = s.Update(context.Background(), f, at, row)
	require.NoError(t, err)
	e, err = s.Explain(f, at, row)
	require.NoError(t, err)
	require.True(t, e.Cached)
}

// TestStateOfManyGoroutines: calls for one state come one after the other.
func TestStateOfManyGoroutines(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	s, err := lazy.NewState(ctx, tensor.Zeros(4).To(dev))
	require.NoError(t, err)
	f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].AddScalar(1)} })
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 50 {
				if _, err := s.Update(ctx, f); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	require.Equal(t, []float32{400, 400, 400, 400}, parts(t, s)[0])
}

// TestStateRefused: what cannot replace the parts is an error that leaves them, and a state that is written over when
// the call fails is lost.
func TestStateRefused(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	s, f := rows(t, dev, 1)
	at, row := tensor.FromSlice([]int64{0}).To(dev), tensor.Ones(1, 64).To(dev)
	for want, f := range map[string]func(x ...*tensor.Tensor) []*tensor.Tensor{
		"has 1 results; the state has 2 parts": func(x ...*tensor.Tensor) []*tensor.Tensor { return x[:1] },
		"part 1 of the state is tensor<3xf32>, and the compiled function returns tensor<2xf32>": func(x ...*tensor.Tensor) []*tensor.Tensor {
			return []*tensor.Tensor{x[0], x[0].AddScalar(1)}
		},
		"results 0 and 2 of the compiled function are one tensor, which replaces part 0": func(x ...*tensor.Tensor) []*tensor.Tensor {
			y := x[0].AddScalar(1)
			return []*tensor.Tensor{y, x[1], y}
		},
	} {
		two, err := lazy.NewState(ctx, tensor.Ones(2).To(dev), tensor.Ones(3).To(dev))
		require.NoError(t, err)
		_, err = two.Update(ctx, lazy.Compile(f))
		require.ErrorContains(t, err, want)
		require.Equal(t, [][]float32{{1, 1}, {1, 1, 1}}, parts(t, two))
	}
	sums, err := lazy.NewState(ctx, tensor.Zeros(1).To(dev))
	require.NoError(t, err)
	one := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		return []*tensor.Tensor{x[0].Add(x[1].Sum()).Add(x[2].Sum())}
	}).Limit(1)
	_, err = sums.Update(ctx, one, tensor.Ones(2).To(dev), tensor.Ones(3).To(dev))
	require.NoError(t, err)
	_, err = sums.Update(ctx, one, tensor.Ones(2).To(dev), tensor.Ones(4).To(dev))
	var limit *lazy.LimitError
	require.ErrorAs(t, err, &limit)
	require.Equal(t, 1, limit.Argument, "parts are not counted")
	require.Equal(t, []float32{5}, parts(t, sums)[0])
	_, err = s.Update(ctx, f, at, tensor.Ones(1, 64))
	require.ErrorContains(t, err, "are on")
	_, err = lazy.NewState[*tensor.Tensor](ctx)
	require.ErrorContains(t, err, "needs a tensor")
	_, err = lazy.NewState(ctx, tensor.Ones(1), tensor.Ones(1).To(dev))
	require.ErrorContains(t, err, "are on")

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = s.Update(cancelled, f, at, row)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, parts(t, s)[0][0])
	_, err = s.Update(ctx, f, tensor.FromSlice([]int64{256}).To(dev), row)
	require.ErrorContains(t, err, "index out of range")
	_, err = s.Update(ctx, f, at, row)
	require.ErrorContains(t, err, "the state was lost")
	_, err = s.Values()
	require.ErrorContains(t, err, "the state was lost")

	var empty lazy.State[*tensor.Tensor]
	var wrong *ops.ArgError
	require.ErrorAs(t, tensor.Try(func() { empty.Update(ctx, f) }), &wrong)
	require.ErrorAs(t, tensor.Try(func() { s.Update(ctx, nil) }), &wrong)
}
