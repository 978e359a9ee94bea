package tensor_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// A cache of 4096 places for 2 heads of 16 numbers: 512 KiB.
const places, heads, width = 4096, 2, 16

func emptyCache(dev *acap.Array) *tensor.Tensor { return tensor.Zeros(1, heads, places, width).To(dev) }

func token(dev *acap.Array, at int) (position, k *tensor.Tensor) {
	return tensor.FromSlice([]int64{int64(at)}).To(dev), tensor.Ones(1, heads, 1, width).MulScalar(float64(at + 1)).To(dev)
}

// bytesPerStep returns the bytes that a step allocates on average.
func bytesPerStep(steps int, step func(i int)) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range steps {
		step(i)
	}
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc-before.TotalAlloc) / steps
}

// TestCachesGrowInPlace: who adds a token to a cache of keys neither copies nor allocates the rest, with an operator in
// place, with an assignment to a slice, and with a function whose old value is given up. What the cache holds is right.
func TestCachesGrowInPlace(t *testing.T) {
	dev := acap.Device()
	for name, add := range map[string]func(c *tensor.Tensor, at int) *tensor.Tensor{
		"IndexCopyInPlace": func(c *tensor.Tensor, at int) *tensor.Tensor {
			position, k := token(dev, at)
			return c.IndexCopyInPlace(2, position, k)
		},
		"a slice": func(c *tensor.Tensor, at int) *tensor.Tensor {
			_, k := token(dev, at)
			c.Narrow(2, 7, 1).CopyInPlace(k)
			return c
		},
		"Donate": func(c *tensor.Tensor, at int) *tensor.Tensor {
			position, k := token(dev, at)
			next := c.IndexCopy(2, position, k)
			lazy.Donate(c)
			return next
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := emptyCache(dev)
			q := tensor.Ones(1, heads, 1, width).To(dev)
			step := func(i int) {
				c = add(c, i%places)
				y := q.ScaledDotProductAttention(c, c)
				require.NoError(t, lazy.Sync(context.Background(), y, c))
			}
			for i := range 3 {
				step(i)
			}
			require.Less(t, bytesPerStep(20, func(i int) { step(3 + i) }), 64<<10)
			got := c.Float32s()
			for i := range 30 {
				want := float32(i + 1)
				switch {
				case name == "a slice" && i != 7, i >= 23:
					want = 0
				case name == "a slice":
					want = 23
				}
				require.Equal(t, want, got[i*width], i)
				require.Equal(t, want, got[(places+i)*width+width-1], i)
			}
		})
	}
}

// TestCachesAreState: a cache that is written in place is kept by who computes only what follows from it.
func TestCachesAreState(t *testing.T) {
	dev := acap.Device()
	c := emptyCache(dev)
	q := tensor.Ones(1, heads, 1, width).To(dev)
	for i := range 4 {
		position, k := token(dev, i)
		c.IndexCopyInPlace(2, position, k.Mul(k))
		before := lazy.For(dev).Metrics().Snapshot
		q.ScaledDotProductAttention(c, c).Float32s()
		require.EqualValues(t, 1, lazy.For(dev).Metrics().Snapshot.Sub(before).Counters["acap::mul.Tensor"], "no token is computed twice")
	}
	require.Equal(t, []float32{1, 4, 9, 16, 0}, []float32{c.Float32s()[0], c.Float32s()[width], c.Float32s()[2*width], c.Float32s()[3*width], c.Float32s()[4*width]})
}

// TestOldValuesOfCaches: whoever has an old value, or was given its memory, has the right data or a typed error.
func TestOldValuesOfCaches(t *testing.T) {
	dev := acap.Device()
	start := func() *tensor.Tensor {
		c := emptyCache(dev)
		for i := range 2 {
			position, k := token(dev, i)
			c.IndexCopyInPlace(2, position, k)
			require.NoError(t, lazy.Sync(context.Background(), c))
		}
		return c
	}
	grow := func(c *tensor.Tensor) {
		position, k := token(dev, 2)
		c.IndexCopyInPlace(2, position, k)
	}
	row := func(data []float32) []float32 { return []float32{data[0], data[width], data[2*width]} }

	c := start()
	data := c.Float32s() // Go code has its memory
	grow(c)
	require.Equal(t, []float32{1, 2, 3}, row(c.Float32s()))
	require.Equal(t, []float32{1, 2, 0}, row(data))

	c = start()
	copied := c.Clone() // recorded, and not computed
	sum := c.Sum()
	grow(c)
	require.NoError(t, lazy.Sync(context.Background(), c))
	require.Equal(t, []float32{1, 2, 0}, row(copied.Float32s()))
	require.Equal(t, float64(3*heads*width), sum.Item())
	require.Equal(t, []float32{1, 2, 3}, row(c.Float32s()))

	c = start()
	onHost := c.To(host.Device())
	grow(c)
	require.NoError(t, lazy.Sync(context.Background(), c))
	require.Equal(t, []float32{1, 2, 0}, row(onHost.Float32s()))

	c = start()
	both := c.AddScalar(1) // in the program that writes over c
	grow(c)
	require.NoError(t, lazy.Sync(context.Background(), c, both))
	require.Equal(t, []float32{2, 3, 1}, row(both.Float32s()))
	require.Equal(t, []float32{1, 2, 3}, row(c.Float32s()))

	c = start()
	next := c.IndexCopy(2, tensor.FromSlice([]int64{5}).To(dev), tensor.Ones(1, heads, 1, width).To(dev))
	lazy.Donate(c)
	require.NoError(t, lazy.Sync(context.Background(), next))
	err := tensor.Try(func() { c.Float32s() })
	var gone *lazy.RecycledError
	require.True(t, errors.As(err, &gone), "%v", err)
	require.Equal(t, float32(1), next.Float32s()[5*width])

	c = start() // a program that fails has written over what was there
	position, k := token(dev, 0)
	c.IndexCopyInPlace(2, position.MulScalar(0).AddScalar(places), k)
	require.ErrorContains(t, tensor.Try(func() { c.Float32s() }), "index out of range")
	require.True(t, errors.As(tensor.Try(func() { c.Float32s() }), &gone))

	w := start()
	w.Freeze()
	first := row(w.Float32s())
	grow(w)
	require.NoError(t, lazy.Sync(context.Background(), w))
	require.Equal(t, []float32{1, 2, 0}, first)
}
