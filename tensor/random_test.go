package tensor_test

import (
	"context"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// distribution is a continuous distribution of gonum's.
type distribution interface {
	CDF(x float64) float64
	Mean() float64
	Variance() float64
}

// kolmogorovSmirnov returns the largest distance between the empirical distribution
// and d.
func kolmogorovSmirnov(x []float64, d distribution) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	most, n := 0.0, float64(len(x))
	for i, v := range x {
		p := d.CDF(v)
		most = max(most, p-float64(i)/n, float64(i+1)/n-p)
	}
	return most
}

// TestRandomDistributions: at fixed seeds, samples have the mean, the variance and the
// distribution that they should.
func TestRandomDistributions(t *testing.T) {
	const n = 100_000
	f64 := tensor.With("dtype", dtype.F64)
	fill := func(name string, args ...any) *tensor.Tensor {
		x := tensor.Zeros(n)
		return tensor.Call(name, append([]any{x}, args...)...)[0]
	}
	for name, c := range map[string]struct {
		draw func() *tensor.Tensor
		want distribution
	}{
		"rand":        {func() *tensor.Tensor { return tensor.Rand(n) }, distuv.Uniform{Min: 0, Max: 1}},
		"rand f64":    {func() *tensor.Tensor { return tensor.Call("rand", []int{n}, f64)[0] }, distuv.Uniform{Min: 0, Max: 1}},
		"uniform":     {func() *tensor.Tensor { return tensor.Uniform(-3, 5, n) }, distuv.Uniform{Min: -3, Max: 5}},
		"randn":       {func() *tensor.Tensor { return tensor.Randn(n) }, distuv.Normal{Sigma: 1}},
		"randn f64":   {func() *tensor.Tensor { return tensor.Call("randn", []int{n}, f64)[0] }, distuv.Normal{Sigma: 1}},
		"normal_":     {func() *tensor.Tensor { return fill("normal_", 2.0, 0.5) }, distuv.Normal{Mu: 2, Sigma: 0.5}},
		"exponential": {func() *tensor.Tensor { return fill("exponential", 1.5) }, distuv.Exponential{Rate: 1.5}},
		"log_normal":  {func() *tensor.Tensor { return fill("log_normal", 0.0, 0.25) }, distuv.LogNormal{Sigma: 0.25}},
	} {
		t.Run(name, func(t *testing.T) {
			tensor.Seed(42)
			x := c.draw().Float64s()
			mean, variance := stat.MeanVariance(x, nil)
			sigma := math.Sqrt(c.want.Variance())
			require.InDelta(t, c.want.Mean(), mean, 4*sigma/math.Sqrt(n))
			require.InEpsilon(t, c.want.Variance(), variance, 0.03)
			// One sample in a thousand of the right distribution has a larger distance.
			require.Less(t, kolmogorovSmirnov(x, c.want), 1.95/math.Sqrt(n))
		})
	}
}

// TestRandomCounts: discrete draws come as often as they should.
func TestRandomCounts(t *testing.T) {
	const n = 90_000
	for name, c := range map[string]struct {
		draw func() *tensor.Tensor
		want []float64 // probability of 0, 1, 2, …
	}{
		"randint": {func() *tensor.Tensor { return tensor.Call("randint", 5, []int{n})[0] },
			[]float64{0.2, 0.2, 0.2, 0.2, 0.2}},
		"bernoulli": {func() *tensor.Tensor { return tensor.Call("bernoulli.p", tensor.Zeros(n), 0.3)[0] },
			[]float64{0.7, 0.3}},
		"bernoulli of tensor": {func() *tensor.Tensor {
			return tensor.Call("bernoulli", tensor.FullLike(0.3, dtype.F32, n))[0]
		}, []float64{0.7, 0.3}},
		"multinomial": {func() *tensor.Tensor {
			w := tensor.FromSlice([]float32{1, 0, 3, 4})
			return tensor.Call("multinomial", w, n, true)[0]
		}, []float64{0.125, 0, 0.375, 0.5}},
		"multinomial of one": {func() *tensor.Tensor {
			w := tensor.FromSlice([]float32{1, 0, 3, 4}).Expand([]int{n, 4})
			return tensor.Call("multinomial", w, 1)[0]
		}, []float64{0.125, 0, 0.375, 0.5}},
		"geometric": {func() *tensor.Tensor { return tensor.Call("geometric", tensor.Zeros(n), 0.5)[0] },
			[]float64{0, 0.5, 0.25, 0.125}},
		"random_": {func() *tensor.Tensor { return tensor.Call("random_.from", tensor.Zeros(n), 0, 2)[0] },
			[]float64{0.5, 0.5}},
	} {
		t.Run(name, func(t *testing.T) {
			tensor.Seed(7)
			counts := map[float64]int{}
			for _, v := range c.draw().Float64s() {
				counts[v]++
			}
			for v, p := range c.want {
				require.InDelta(t, p, float64(counts[float64(v)])/n, 4*math.Sqrt(p*(1-p)/n)+1e-12, "%d", v)
			}
		})
	}
}

func TestRandomPermutation(t *testing.T) {
	tensor.Seed(1)
	p := tensor.Call("randperm", 1000)[0].Int64s()
	require.False(t, slices.IsSorted(p))
	slices.Sort(p)
	for i, v := range p {
		require.EqualValues(t, i, v)
	}
	// Without replacement nothing comes twice, nor what has no weight.
	w := tensor.FromSlice([]float32{1, 2, 0, 3, 4, 5})
	for range 20 {
		got := tensor.Call("multinomial", w, 5)[0].Int64s()
		slices.Sort(got)
		require.Equal(t, []int64{0, 1, 3, 4, 5}, got)
	}
}

// drawAll draws from every kind of operator on a device.
func drawAll(on tensor.Option, x *tensor.Tensor) []*tensor.Tensor {
	dims := []int{3, 1001}
	return []*tensor.Tensor{
		tensor.Call("rand", dims, on)[0],
		tensor.Call("randn", dims, on)[0],
		tensor.Call("rand", dims, on, tensor.With("dtype", dtype.BF16))[0],
		tensor.Call("randint.low", -3, 1<<40, dims, on)[0],
		tensor.Call("randperm", 257, on)[0],
		tensor.Call("dropout", x, 0.25, true)[0],
		tensor.Call("alpha_dropout", x, 0.25, true)[0],
		tensor.Call("feature_dropout", x, 0.25, true)[0],
		tensor.Call("native_dropout", x, 0.25, true)[1],
		tensor.Call("rand_like", x)[0],
	}
}

// TestRandomSameEverywhere: the eager host and the lazy array draw the same bits, in one
// program or in many.
func TestRandomSameEverywhere(t *testing.T) {
	tensor.Seed(5)
	x := tensor.Randn(40, 50)
	tensor.Seed(6)
	want := drawAll(tensor.On(host.Device()), x)
	seed, offset := tensor.RandomState(host.Device())
	for _, together := range []bool{true, false} {
		tensor.Seed(6)
		got := drawAll(tensor.On(acap.Device()), x.To(acap.Device()))
		if together {
			require.NoError(t, tensor.Sync(context.Background(), got...))
		}
		for i := range want {
			require.Equal(t, want[i].Float64s(), got[i].Float64s(), "draw %d", i)
		}
	}
	s, o := tensor.RandomState(acap.Device())
	require.Equal(t, [2]uint64{seed, offset}, [2]uint64{s, o})
}

// TestRandomState: a stream continues where it was.
func TestRandomState(t *testing.T) {
	tensor.Seed(9)
	seed, offset := tensor.RandomState(host.Device())
	require.Equal(t, [2]uint64{9, 0}, [2]uint64{seed, offset})
	tensor.Rand(3)
	seed, offset = tensor.RandomState(host.Device())
	require.EqualValues(t, 4, offset)
	first, second := tensor.Rand(100).Float32s(), tensor.Rand(100).Float32s()
	require.NotEqual(t, first, second)
	tensor.SetRandomState(host.Device(), seed, offset)
	require.Equal(t, first, tensor.Rand(100).Float32s())
	require.Equal(t, second, tensor.Rand(100).Float32s())
	// The state moves when a call is recorded, not when it is computed.
	dev := acap.Device()
	tensor.SetRandomState(dev, 9, 4)
	a := tensor.Call("rand", []int{100}, tensor.On(dev))[0]
	b := tensor.Call("rand", []int{100}, tensor.On(dev))[0]
	require.Equal(t, second, b.Float32s())
	require.Equal(t, first, a.Float32s())
}

// TestDropoutGradient: on the array, the gradient passes where the value did, with the
// same mask; and steps that draw other numbers are one program.
func TestDropoutGradient(t *testing.T) {
	dev := acap.Device()
	tensor.Seed(3)
	x := tensor.Uniform(1, 2, 64, 32).To(dev).RequiresGrad()
	compiled := lazy.For(dev).Metrics().CompiledPrograms
	var first []float64
	for step := range 4 {
		y := tensor.Call("dropout", x, 0.25, true)[0]
		dx := tensor.Grad([]*tensor.Tensor{y.Sum()}, []*tensor.Tensor{x}, nil)[0]
		require.NoError(t, tensor.Sync(context.Background(), y, dx))
		values, given, dropped := y.Float64s(), dx.Float64s(), 0
		for i, v := range x.Float64s() {
			if values[i] == 0 {
				dropped++
				require.Zero(t, given[i])
				continue
			}
			require.InEpsilon(t, v/0.75, values[i], 1e-6)
			require.InEpsilon(t, 1/0.75, given[i], 1e-6)
		}
		require.InDelta(t, 0.25, float64(dropped)/float64(len(values)), 0.04)
		if step == 0 {
			first = values
			continue
		}
		require.NotEqual(t, first, values)
	}
	require.LessOrEqual(t, lazy.For(dev).Metrics().CompiledPrograms-compiled, 1, "the steps are one program")
}

func TestRandomErrors(t *testing.T) {
	for want, f := range map[string]func(){
		"p is 1.5, not a probability":         func() { tensor.Call("dropout", tensor.Ones(2), 1.5, true) },
		"cannot draw integers from [3, 3)":    func() { tensor.Call("randint.low", 3, 3, []int{2}) },
		"cannot draw 4 of 3 categories":       func() { tensor.Call("multinomial", tensor.Ones(3), 4) },
		"std is -1, but must be positive":     func() { tensor.Call("normal_", tensor.Ones(3), 0.0, -1.0) },
		"needs a floating type, got i64":      func() { tensor.Call("rand", []int{2}, tensor.With("dtype", dtype.I64)) },
		"extents must not be negative: [-1]":  func() { tensor.Randn(-1) },
		"p is 1, not between 0 and 1":         func() { tensor.Call("geometric", tensor.Ones(3), 1.0) },
		"probabilities need a floating type,": func() { tensor.Call("bernoulli", tensor.Of([]int{1})) },
	} {
		require.ErrorContains(t, tensor.Try(f), want)
	}
}

// TestRandomMemory: drawing numbers on the host takes no more memory than what is checked before.
func TestRandomMemory(t *testing.T) {
	const size = 1 << 20
	for name, draw := range map[string]func(){
		"randn":   func() { tensor.Randn(size) },
		"rand":    func() { tensor.Rand(size) },
		"randint": func() { tensor.Call("randint", 10, []int{size}) },
		"dropout": func() { tensor.Zeros(size).Dropout(0.5, true) },
	} {
		draw() // which compiles it
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		draw()
		runtime.ReadMemStats(&after)
		took := int64(after.TotalAlloc - before.TotalAlloc)
		require.Less(t, took, int64(7*4*size), name)
		limit := buf.SetLimit(took / 4)
		err := tensor.Try(draw)
		buf.SetLimit(limit)
		var memory *buf.MemoryError
		require.ErrorAs(t, err, &memory, "%s takes %d bytes", name, took)
	}
}
