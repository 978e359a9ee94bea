package data_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data"
)

var ctx = context.Background()

// numbers is a dataset of n numbers, each its own index.
func numbers(n int) data.Arrays { return data.NewArrays(tensor.Arange(n)) }

// read returns the first fields of the batches that are left of an epoch.
func read(t *testing.T, l *data.Loader) (all [][]float32) {
	t.Helper()
	for b, err := range l.Epoch(ctx) {
		require.NoError(t, err)
		all = append(all, b[0].Float32s())
	}
	return all
}

func TestEpochs(t *testing.T) {
	l := data.NewLoader(numbers(5), 2)
	require.Equal(t, [][]float32{{0, 1}, {2, 3}, {4}}, read(t, l))
	l.DropLast = true
	require.Equal(t, [][]float32{{0, 1}, {2, 3}}, read(t, l))
	require.Equal(t, 2, l.Batches())
	require.Empty(t, read(t, data.NewLoader(data.Arrays(nil), 2)))
}

// A shuffled epoch has every example once, another order each epoch, and the same for the
// same seed however many goroutines read.
func TestShuffle(t *testing.T) {
	epochs := func(seed uint64, workers, ahead int) (all [][]float32) {
		l := data.NewLoader(numbers(100), 7)
		l.Shuffle, l.Seed, l.Workers, l.Ahead = true, seed, workers, ahead
		l.Transform = func(r *rand.Rand, e data.Example) (data.Example, error) {
			return data.Example{buf.From([]float32{float32(e[0].Float64(0)) + 1000*float32(r.IntN(1000))})}, nil
		}
		for range 2 {
			all = append(all, slices.Concat(read(t, l)...))
		}
		return all
	}
	want := epochs(1, 1, 0)
	require.Equal(t, want, epochs(1, 8, 5))
	require.NotEqual(t, want, epochs(2, 8, 5))
	require.NotEqual(t, want[0], want[1])
	for _, epoch := range want {
		seen := map[int]bool{}
		random := map[int]bool{}
		for _, v := range epoch {
			seen[int(v)%1000] = true
			random[int(v)/1000] = true
		}
		require.Len(t, seen, 100)
		require.Greater(t, len(random), 80, "examples share their random numbers")
	}
}

// The order of a seed is part of checkpoints: it must never change.
func TestOrderIsFixed(t *testing.T) {
	l := data.NewLoader(numbers(10), 10)
	l.Shuffle, l.Seed = true, 7
	require.Equal(t, [][]float32{{7, 8, 6, 4, 3, 5, 1, 0, 9, 2}}, read(t, l))
	require.Equal(t, [][]float32{{5, 3, 4, 8, 9, 2, 1, 0, 7, 6}}, read(t, l))
}

// A loader goes on where another one was, whatever that had read ahead.
func TestResume(t *testing.T) {
	make := func() *data.Loader {
		l := data.NewLoader(numbers(20), 3)
		l.Shuffle, l.Ahead = true, 4
		return l
	}
	whole := make()
	want := slices.Concat(read(t, whole), read(t, whole))
	first := make()
	first.Seed = 0
	for n := range want {
		l := make()
		l.Seed = 99 // which the state replaces
		require.NoError(t, l.LoadState(first.State()))
		rest := slices.Concat(read(t, l), read(t, l))
		require.Equal(t, want[n:], rest[:len(want)-n], n)
		for {
			if b, err := first.Next(ctx); err != io.EOF {
				require.NoError(t, err)
				require.Equal(t, want[n], b[0].Float32s())
				break
			}
		}
	}
	for _, state := range []map[string]*tensor.Tensor{
		{}, {"seed": tensor.Of(1), "epoch": tensor.Of(0), "batch": tensor.Of(-1)},
		{"seed": tensor.Of(1), "epoch": tensor.Of(0), "batch": tensor.Of(8)},
		{"seed": tensor.Of(1), "epoch": tensor.Of(0.5), "batch": tensor.Of(1)},
	} {
		require.Error(t, make().LoadState(state))
	}
}

// failing fails at one example until it is repaired.
type failing struct {
	data.Arrays
	at int
}

func (f *failing) Example(i int) (data.Example, error) {
	if i == f.at {
		return nil, errors.New("the disk is on fire")
	}
	return f.Arrays.Example(i)
}

func TestErrors(t *testing.T) {
	f := &failing{numbers(6), 3}
	l := data.NewLoader(f, 2)
	l.Ahead = 0
	_, err := l.Next(ctx)
	require.NoError(t, err)
	_, err = l.Next(ctx)
	require.EqualError(t, err, "example 3: the disk is on fire")
	f.at = -1
	require.Equal(t, [][]float32{{2, 3}, {4, 5}}, read(t, l), "the batch is next again")

	l.Transform = func(*rand.Rand, data.Example) (data.Example, error) { panic("no picture") }
	_, err = l.Next(ctx)
	require.EqualError(t, err, "example 0: panic: no picture")

	l.Transform = func(*rand.Rand, data.Example) (data.Example, error) { return nil, nil }
	_, err = l.Next(ctx)
	require.ErrorContains(t, err, "the batch has no fields")

	l.Transform = nil
	stopped, stop := context.WithCancel(ctx)
	stop()
	l.Dataset = data.Map(f, func(e data.Example) (data.Example, error) { <-stopped.Done(); select {} })
	_, err = l.Next(stopped)
	require.ErrorIs(t, err, context.Canceled)

	uneven, err := data.FromBuffers(buf.From([]float32{1, 2}, 2), buf.From([]float32{1, 2, 3}, 3))
	require.ErrorContains(t, err, "field 1 has the shape [3], and field 0 [2]")
	require.NotNil(t, uneven)
	require.Panics(t, func() { data.NewLoader(f, 0) })
}

// Batches lie on the device when they come.
func TestDevice(t *testing.T) {
	l := data.NewLoader(data.NewArrays(tensor.Arange(4), tensor.Of([]int64{4, 5, 6, 7})), 4)
	l.Device = acap.Device()
	b, err := l.Next(ctx)
	require.NoError(t, err)
	require.Equal(t, acap.Device(), b[0].Device())
	require.Equal(t, []int64{4, 5, 6, 7}, b[1].Int64s())
	require.Equal(t, 6.0, b[0].Sum().Item())
}

func TestSplit(t *testing.T) {
	first, second := data.Split(numbers(10), 0.7, 3)
	require.Equal(t, 7, first.Len())
	all := read(t, data.NewLoader(data.Concat(first, second), 10))[0]
	require.NotEqual(t, tensor.Arange(10).Float32s(), all)
	slices.Sort(all)
	require.Equal(t, tensor.Arange(10).Float32s(), all)
	for _, d := range []data.Dataset{first, data.Concat(first), numbers(2)} {
		for _, i := range []int{-1, d.Len()} {
			_, err := d.Example(i)
			require.Error(t, err)
		}
	}
}

func ExampleLoader() {
	points := data.NewArrays(tensor.Of([]float32{1, 2, 3, 4, 5, 6}, 3, 2), tensor.Of([]int64{0, 1, 0}))
	loader := data.NewLoader(points, 2)
	for batch, err := range loader.Epoch(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(batch[0].Shape(), batch[1].Int64s())
	}
	// Output:
	// [2 2] [0 1]
	// [1 2] [0]
}

// Ranks divide every batch: together they read the batch of a single rank, in equal parts.
func TestRanks(t *testing.T) {
	for ranks := 1; ranks <= 4; ranks++ {
		var parts [][][]float32
		for rank := range ranks {
			l := data.NewLoader(numbers(23), 8)
			l.Shuffle, l.Seed, l.Rank, l.Ranks = true, 3, rank, ranks
			list := read(t, l)
			require.Len(t, list, l.Batches())
			parts = append(parts, list)
		}
		whole := data.NewLoader(numbers(23), 8)
		whole.Shuffle, whole.Seed = true, 3
		for i, want := range read(t, whole) {
			var got []float32
			for rank := range ranks {
				require.Len(t, parts[rank][i], len(want)/ranks)
				got = append(got, parts[rank][i]...)
			}
			require.Equal(t, want[:len(want)/ranks*ranks], got)
		}
	}
	l := data.NewLoader(numbers(9), 8)
	l.Ranks = 2
	require.Equal(t, 1, l.Batches(), "one example is no batch of two ranks")
	require.Equal(t, [][]float32{{0}, {1}}, read(t, data.NewLoader(numbers(2), 1)), "batches of one are for one rank")
	for _, bad := range [][2]int{{2, 2}, {-1, 2}, {0, 9}, {1, 0}, {1, 1}, {-1, 0}} {
		l := data.NewLoader(numbers(9), 8)
		l.Rank, l.Ranks = bad[0], bad[1]
		_, err := l.Next(ctx)
		require.EqualError(t, err, fmt.Sprintf("data: batches of 8 examples for rank %d of %d", bad[0], max(bad[1], 1)))
	}
	l = data.NewLoader(numbers(9), 8)
	l.Workers = -1
	_, err := l.Next(ctx)
	require.EqualError(t, err, "data: -1 goroutines that read 2 batches ahead: neither may be negative")
}
