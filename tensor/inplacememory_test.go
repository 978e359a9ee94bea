package tensor_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
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

// TestViewsAreWrittenInPlace: who changes a part of a tensor through a view allocates nothing of the tensor's size,
// every alias sees the change, and what was taken of the tensor earlier stays.
func TestViewsAreWrittenInPlace(t *testing.T) {
	dev, ctx := acap.Device(), context.Background()
	dims := []int{4, 32, 128} // 64 KiB
	start := make([]float32, 4*32*128)
	for i := range start {
		start[i] = float32(i)
	}
	for name, c := range map[string]struct {
		view func(x *tensor.Tensor) *tensor.Tensor
		dims []int
		from func(index []int) []int // the place in x of an element of the view
	}{
		"slice": {func(x *tensor.Tensor) *tensor.Tensor { return x.Narrow(1, 7, 2) }, []int{4, 2, 128},
			func(at []int) []int { return []int{at[0], at[1] + 7, at[2]} }},
		"slice in steps": {func(x *tensor.Tensor) *tensor.Tensor { return x.Slice(2, 3, 128, tensor.Step(5)) }, []int{4, 32, 25},
			func(at []int) []int { return []int{at[0], at[1], 3 + 5*at[2]} }},
		"select": {func(x *tensor.Tensor) *tensor.Tensor { return x.Select(1, 31) }, []int{4, 128},
			func(at []int) []int { return []int{at[0], 31, at[1]} }},
		"slice of another shape": {func(x *tensor.Tensor) *tensor.Tensor { return x.View([]int{128, 128}).Narrow(0, 90, 3) }, []int{3, 128},
			func(at []int) []int { return []int{(90 + at[0]) / 32, (90 + at[0]) % 32, at[1]} }},
		"slice of a slice": {func(x *tensor.Tensor) *tensor.Tensor { return x.Narrow(1, 7, 9).Narrow(2, 5, 3).Select(1, 4) }, []int{4, 3},
			func(at []int) []int { return []int{at[0], 11, 5 + at[1]} }},
		"slice of a transposed tensor": {func(x *tensor.Tensor) *tensor.Tensor { return x.Transpose(0, 1).Narrow(0, 30, 2) }, []int{2, 4, 128},
			func(at []int) []int { return []int{at[1], 30 + at[0], at[2]} }},
		"transposed slices": {func(x *tensor.Tensor) *tensor.Tensor {
			return x.Narrow(1, 4, 6).Transpose(1, 2).Narrow(1, 100, 20).Transpose(0, 2).Narrow(0, 1, 2)
		},
			[]int{2, 20, 4}, func(at []int) []int { return []int{at[2], 5 + at[0], 100 + at[1]} }},
		"diagonal": {func(x *tensor.Tensor) *tensor.Tensor {
			return x.Diagonal(tensor.Dim1(1), tensor.Dim2(2), tensor.Offset(2))
		}, []int{4, 32},
			func(at []int) []int { return []int{at[0], at[1], at[1] + 2} }},
		"diagonal of a slice": {func(x *tensor.Tensor) *tensor.Tensor {
			return x.Select(0, 3).Narrow(0, 8, 16).Diagonal(tensor.Offset(-4))
		}, []int{12},
			func(at []int) []int { return []int{3, 12 + at[0], at[0]} }},
		"memory": {func(x *tensor.Tensor) *tensor.Tensor {
			return x.AsStrided([]int{3, 5}, []int{4096, 2}, tensor.StorageOffset(7))
		}, []int{3, 5},
			func(at []int) []int { return []int{at[0], 0, 7 + 2*at[1]} }},
	} {
		t.Run(name, func(t *testing.T) {
			x := tensor.FromSlice(start, dims...).To(dev).AddScalar(0)
			require.NoError(t, lazy.Sync(ctx, x))
			model := newCells(dims, slices.Clone(start))
			part := model.view(c.dims, c.from)
			step := func(by float64) {
				if name == "memory" {
					c.view(x).AddScalarInPlace(by)
				} else { // two writes of one program; the second reads what the first wrote
					c.view(x).AddScalarInPlace(2 * by)
					c.view(x).SubScalarInPlace(by)
				}
				require.NoError(t, lazy.Sync(ctx, x))
				for _, at := range part.at {
					(*model.memory)[at] += float32(by)
				}
			}
			whole, view, before := x.View([]int{4 * 32 * 128}), c.view(x), x.Neg()
			step(0.5)
			for i, v := range before.Float32s() {
				require.Equal(t, -start[i], v)
			}
			require.Equal(t, part.data(), view.Float32s())
			step(1)
			require.Less(t, bytesPerStep(8, func(i int) { step(float64(i % 2)) }), 32<<10)
			require.Equal(t, *model.memory, whole.Float32s())
			require.Equal(t, part.data(), view.Float32s())
			view.CopyInPlace(tensor.Zeros(c.dims...).To(dev))
			for _, at := range part.at {
				(*model.memory)[at] = 0
			}
			require.Equal(t, *model.memory, x.Float32s())
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
