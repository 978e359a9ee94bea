package tensor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/race"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// TestPrepared: parts are written where they are and change places, what the host writes in an argument counts, and
// calls of other functions come between; with programs and, where NaN are looked for, without.
func TestPrepared(t *testing.T) {
	ctx := context.Background()
	for _, stop := range []bool{false, true} {
		dev := freshDevice(t)
		lazy.StopAtNaN(stop)
		defer lazy.StopAtNaN(false)
		full := func(v float64) *tensor.Tensor { return tensor.FullLike(v, dtype.F32, 64, 32).To(dev) }
		s, err := lazy.NewState(ctx, full(0), full(1), full(0))
		require.NoError(t, err)
		f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
			a, b, rows, at, row := x[0], x[1], x[2], x[3], x[4]
			return []*tensor.Tensor{b, a.Add(b), rows.IndexCopy(0, at, row), row.AddScalar(1).Add(a.Narrow(0, 0, 1))}
		})
		places, row := buf.From([]int64{0}, 1), buf.From(make([]float32, 32), 1, 32)
		runtime := lazy.For(dev)
		p, err := s.Prepare(ctx, f, tensor.FromTrace(runtime, runtime.Received(places)), tensor.FromTrace(runtime, runtime.Received(row)))
		require.NoError(t, err)
		double := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
			return []*tensor.Tensor{x[0], x[1].AddScalar(0), x[2].MulScalar(2)}
		})
		a, b := float32(0), float32(1)
		for i := range 12 {
			buf.Slice[int64](places)[0], buf.Slice[float32](row)[5] = int64(i), float32(3*i)
			out, err := p.Run(ctx)
			require.NoError(t, err)
			require.Equal(t, float32(3*i)+1+a, out[0].Clone().Float32s()[5])
			a, b = b, a+b
			if i == 5 {
				_, err = s.Update(ctx, double)
				require.NoError(t, err)
			}
			list := parts(t, s)
			require.Equal(t, []float32{a, b}, []float32{list[0][2047], list[1][2047]}, "after run %d", i)
		}
		require.EqualValues(t, 144, a, "the twelfth number of Fibonacci")
		rows := parts(t, s)[2]
		for i := range 12 {
			want := float32(3 * i)
			if i <= 5 {
				want *= 2
			}
			require.Equal(t, []float32{0, want}, rows[32*i+4:32*i+6], "row %d", i)
		}
	}
}

// TestPreparedResults: a run has the tensors of the run before and allocates nothing; results that somebody read, froze
// or awaits stay what they were.
func TestPreparedResults(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	s, f := rows(t, dev, 3)
	at := buf.From([]int64{0}, 1)
	runtime := lazy.For(dev)
	row := tensor.Ones(1, 64).To(dev)
	p, err := s.Prepare(ctx, f, tensor.FromTrace(runtime, runtime.Received(at)), row)
	require.NoError(t, err)
	run := func(place int) *tensor.Tensor {
		buf.Slice[int64](at)[0] = int64(place)
		out, err := p.Run(ctx)
		require.NoError(t, err)
		return out[0]
	}
	first := run(0)
	require.Same(t, first, run(1))
	require.Equal(t, float32(2), first.Float32s()[0])
	third := run(2)
	require.NotSame(t, first, third, "the first one was read")
	require.Equal(t, float32(2), first.Float32s()[0])
	negative := third.Neg()
	fourth := run(3).Freeze()
	require.NotSame(t, third, fourth, "the third one is awaited")
	require.Equal(t, float32(-3), negative.Float32s()[63])
	fifth := run(4)
	require.NotSame(t, fourth, fifth)
	require.Equal(t, float32(4), fourth.Float32s()[9])
	if !race.Enabled {
		require.Zero(t, testing.AllocsPerRun(20, func() { run(4) }))
	}
	require.Equal(t, float32(5), fifth.Float32s()[9])

	gone := tensor.Ones(1, 64).To(dev).AddScalar(1)
	lazy.Donate(gone)
	require.NoError(t, tensor.Sync(ctx, gone))
	_, err = lazy.NewState(ctx, gone)
	require.NoError(t, err)
	var recycled *lazy.RecycledError
	_, err = s.Prepare(ctx, f, row, gone)
	require.ErrorAs(t, err, &recycled)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = p.Run(cancelled)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, float32(5), run(4).Float32s()[9], "a run that did not begin has lost nothing")
}
