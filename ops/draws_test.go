package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/opinfo/reference"
)

// TestComplexDraws: both parts of complex numbers are drawn, and the parts of a normal number have half of its
// variance, as in PyTorch 2.14; integers are refused.
func TestComplexDraws(t *testing.T) {
	tensor.Seed(5)
	for _, d := range []dtype.DType{dtype.C64, dtype.C128} {
		x := tensor.Call("zeros", []int{40000}, d)[0]
		for name, want := range map[string][2]float64{"normal_functional": {3, math.Sqrt2}, "uniform": {4, math.Sqrt(1. / 3)}} {
			args := []any{x, 3.0, 2.0}
			if name == "uniform" {
				args = []any{x, 3.0, 5.0}
			}
			y := tensor.Call(name, args...)[0]
			require.Equal(t, d, y.DType())
			for _, part := range []string{"real", "imag"} {
				p := tensor.Call("to.dtype", tensor.Call(part, y)[0], dtype.F64)[0].Float64s()
				mean, std := stat.MeanStdDev(p, nil)
				require.InDelta(t, want[0], mean, 0.05, "%s %s", name, part)
				require.InDelta(t, want[1], std, 0.05, "%s %s", name, part)
			}
		}
	}
	var refused *ops.DTypeError
	require.ErrorAs(t, tensor.Try(func() { tensor.Call("uniform", tensor.Call("zeros", []int{2}, dtype.I32)[0]) }), &refused)
}

// TestPhiloxBits: the known answers of Random123 for philox4x32 with ten rounds.
func TestPhiloxBits(t *testing.T) {
	zero := tensor.FromSlice([]int64{0}).View([]int{})
	got := tensor.Call("philox_bits", []int{4}, zero, zero)[0].Int64s()
	for i, w := range []uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8} {
		require.Equal(t, w, uint32(got[i]))
	}
}

// TestDistributions: at a fixed seed numbers have the mean, the variance and the
// distribution that they should.
func TestDistributions(t *testing.T) {
	for _, op := range ops.All() {
		if !op.Draws || op.IsInplace() {
			continue
		}
		d, ok := reference.Distributions[op.Name()]
		require.True(t, ok, "%s has no distribution", op.Name())
		t.Run(op.Name(), func(t *testing.T) {
			tensor.Seed(11)
			x := d.Draw(40_000)
			n := float64(len(x))
			mean, variance := stat.MeanVariance(x, nil)
			if !math.IsNaN(d.Mean) {
				require.InDelta(t, d.Mean, mean, 4*math.Sqrt(d.Variance/n))
				require.InEpsilon(t, d.Variance, variance, 0.06)
			}
			if d.CDF == nil {
				counted(t, d, x)
				return
			}
			slices.Sort(x)
			most := 0.0
			for i, v := range x {
				p := d.CDF(v)
				most = max(most, p-float64(i)/n, float64(i+1)/n-p)
			}
			// One sample in a thousand of the right distribution has a larger distance.
			require.Less(t, most, 1.95/math.Sqrt(n))
		})
	}
}

// counted compares how often each number comes.
func counted(t *testing.T, d reference.Distribution, x []float64) {
	rest, n := len(x), float64(len(x))
	for v, p := range d.Probabilities {
		count := 0
		for _, got := range x {
			if math.Abs(got-v) < 1e-6 {
				count++
			}
		}
		rest -= count
		require.InDelta(t, p, float64(count)/n, 4*math.Sqrt(p*(1-p)/n)+1e-12, "%v", v)
	}
	require.LessOrEqual(t, rest, 2, "numbers that have no probability")
}

// TestChannels: the dropouts of features drop whole channels.
func TestChannels(t *testing.T) {
	tensor.Seed(3)
	for _, name := range []string{"feature_dropout", "feature_alpha_dropout"} {
		x := tensor.Call(name, tensor.Ones(50, 4, 3, 2), 0.5, true)[0].Float64s()
		seen := map[float64]int{}
		for i := 0; i < len(x); i += 6 {
			seen[x[i]]++
			for _, v := range x[i : i+6] {
				require.Equal(t, x[i], v)
			}
		}
		require.Len(t, seen, 2, name)
	}
}

// TestDropoutInside: attention drops weights and a recurrent layer what goes to the next, each with its probability,
// and what is left grows so that the mean stays. The variances are the variance of the mean of 10 such numbers, and of
// one.
func TestDropoutInside(t *testing.T) {
	const p = 0.3
	scores, ones := tensor.Zeros(50, 20, 4), tensor.Ones(50, 10, 4)
	attention := func(p float64) []float64 {
		return tensor.Call("scaled_dot_product_attention", scores, tensor.Zeros(50, 10, 4), ones, nil, p)[0].Float64s()
	}
	one := tensor.Eye(1)
	weights := []*tensor.Tensor{one, tensor.Zeros(1, 1), one, tensor.Zeros(1, 1)} // each layer gives its input
	layers := func(p float64, train bool) []float64 {
		return tensor.Call("rnn_relu.input", tensor.Ones(64, 64, 1), tensor.Zeros(2, 64, 1), weights,
			false, 2, p, train, false, false)[0].Float64s()
	}
	tensor.Seed(5)
	for _, c := range []struct {
		got            []float64
		mean, variance float64
	}{
		{attention(0), 1, 0}, {attention(1), 0, 0},
		{layers(p, true), 1, p / (1 - p)}, {layers(p, false), 1, 0}, {layers(1, true), 0, 0},
	} {
		mean, variance := stat.MeanVariance(c.got, nil)
		require.InDelta(t, c.mean, mean, 4*math.Sqrt(c.variance/float64(len(c.got)))+1e-6)
		require.InDelta(t, c.variance, variance, 0.1*c.variance+1e-12)
	}
	var rows []float64 // the features of a row are alike
	for i, v := range attention(p) {
		if i%4 == 0 {
			rows = append(rows, v)
		}
	}
	mean, variance := stat.MeanVariance(rows, nil)
	require.InDelta(t, 1, mean, 4*math.Sqrt(p/(1-p)/10/float64(len(rows))))
	require.InEpsilon(t, p/(1-p)/10, variance, 0.2)
}

// TestDrawnNumbers: what is drawn is the documented function of the first words of the stream.
func TestDrawnNumbers(t *testing.T) {
	const n = 7
	words := func(k int) [][]uint32 { // k lists of n
		dims := []int{n}
		if k > 0 {
			dims = []int{k, n}
		}
		number := func(v int64) *tensor.Tensor { return tensor.FromSlice([]int64{v}).View([]int{}) }
		var lists [][]uint32
		all := tensor.Call("philox_bits", dims, number(42), number(0))[0].Int64s()
		for i := 0; i < len(all); i += n {
			var list []uint32
			for _, v := range all[i : i+n] {
				list = append(list, uint32(v))
			}
			lists = append(lists, list)
		}
		return lists
	}
	one, first, two := words(0)[0], words(1)[0], words(2)
	for name, c := range map[string]struct {
		draw func() *tensor.Tensor
		want func(i int) float64
	}{
		"rand": {func() *tensor.Tensor { return tensor.Rand(n) }, func(i int) float64 { return float64(one[i]>>8) / (1 << 24) }},
		"rand f16": {func() *tensor.Tensor { return tensor.Call("rand", []int{n}, tensor.With("dtype", dtype.F16))[0] },
			func(i int) float64 { return float64(one[i]>>21) / (1 << 11) }},
		"rand bf16": {func() *tensor.Tensor { return tensor.Call("rand", []int{n}, tensor.With("dtype", dtype.BF16))[0] },
			func(i int) float64 { return float64(one[i]>>24) / (1 << 8) }},
		"rand f64": {func() *tensor.Tensor { return tensor.Call("rand", []int{n}, tensor.With("dtype", dtype.F64))[0] },
			func(i int) float64 { return (float64(two[0][i]>>5)*(1<<26) + float64(two[1][i]>>6)) / (1 << 53) }},
		"randn": {func() *tensor.Tensor { return tensor.Randn(n) }, func(i int) float64 {
			u := (float64(two[0][i]) + 0.5) / (1 << 32)
			return math.Sqrt(-2*math.Log(u)) * math.Cos(2*math.Pi*float64(two[1][i])/(1<<32))
		}},
		"randint": {func() *tensor.Tensor { return tensor.Call("randint.low", -3, 1<<32-3, []int{n})[0] },
			func(i int) float64 { return float64(first[i]) - 3 }},
		"wide randint": {func() *tensor.Tensor { return tensor.Call("randint.low", 5, 6+1<<32, []int{n})[0] },
			func(i int) float64 {
				return float64((uint64(two[0][i]&(1<<31-1))<<32|uint64(two[1][i]))%(1<<32+1) + 5)
			}},
	} {
		tensor.Seed(42)
		for i, v := range c.draw().Float64s() {
			require.InDelta(t, c.want(i), v, 1e-5, "%s, element %d", name, i)
		}
	}
}

// TestComplexUniform: both parts of complex numbers are uniform in [0, 1), each on its own.
func TestComplexUniform(t *testing.T) {
	tensor.Seed(2)
	parts := tensor.Call("view_as_real", tensor.Call("rand", []int{4000}, tensor.With("dtype", dtype.C64))[0])[0].Float64s()
	var re, im []float64
	for i := 0; i < len(parts); i += 2 {
		re, im = append(re, parts[i]), append(im, parts[i+1])
	}
	for _, x := range [][]float64{re, im} {
		mean, variance := stat.MeanVariance(x, nil)
		require.InDelta(t, 0.5, mean, 4*math.Sqrt(1./12/4000))
		require.InEpsilon(t, 1./12, variance, 0.1)
		require.GreaterOrEqual(t, slices.Min(x), 0.)
		require.Less(t, slices.Max(x), 1.)
	}
	require.InDelta(t, 0, stat.Correlation(re, im, nil), 0.07)
}

// TestParameters: gamma, Poisson and binomial numbers of small and large parameters, on both devices.
func TestParameters(t *testing.T) {
	n := longtest.Sample(1000, 1000, 100_000)
	inf, nan := math.Inf(1), math.NaN()
	for i, dev := range []device.Device{host.Device(), acap.Device()} {
		draw := func(op string, parameters []float64, count int) []float64 {
			var args []any
			for _, p := range parameters {
				args = append(args, tensor.FullLike(p, dtype.F64, count).To(dev))
			}
			tensor.Seed(5)
			return tensor.Call(op, args...)[0].Float64s()
		}
		for k, c := range []struct {
			op         string
			parameters []float64
			want       interface {
				CDF(x float64) float64
				Mean() float64
				Variance() float64
			}
		}{
			{"_standard_gamma", []float64{0.25}, distuv.Gamma{Alpha: 0.25, Beta: 1}},
			{"_standard_gamma", []float64{40}, distuv.Gamma{Alpha: 40, Beta: 1}},
			{"poisson", []float64{0.5}, distuv.Poisson{Lambda: 0.5}},
			{"poisson", []float64{9.75}, distuv.Poisson{Lambda: 9.75}},
			{"poisson", []float64{3000}, distuv.Poisson{Lambda: 3000}},
			{"binomial", []float64{7, 0.75}, distuv.Binomial{N: 7, P: 0.75}},
			{"binomial", []float64{4000, 0.001}, distuv.Binomial{N: 4000, P: 0.001}},
			{"binomial", []float64{4000, 0.75}, distuv.Binomial{N: 4000, P: 0.75}},
		} {
			if k%2 != i && !longtest.On() { // a usual run has each on one device
				continue
			}
			x := draw(c.op, c.parameters, n)
			mean, variance := stat.MeanVariance(x, nil)
			sigma := math.Sqrt(c.want.Variance() / float64(n))
			require.InDelta(t, c.want.Mean(), mean, 4*sigma, "%s%v on %s", c.op, c.parameters, dev.Name())
			require.InEpsilon(t, c.want.Variance(), variance, 12/math.Sqrt(float64(n)), "%s%v", c.op, c.parameters)
			slices.Sort(x)
			most := 0.0
			for i, v := range x {
				if i+1 == len(x) || x[i+1] > v { // both step at a count
					most = max(most, math.Abs(c.want.CDF(v)-float64(i+1)/float64(n)))
				}
			}
			require.Less(t, most, 1.95/math.Sqrt(float64(n)), "%s%v", c.op, c.parameters)
		}
		for _, c := range []struct {
			op         string
			parameters []float64
			want       float64
		}{
			{"poisson", []float64{0}, 0},
			{"binomial", []float64{0, 0.5}, 0}, {"binomial", []float64{50, 0}, 0}, {"binomial", []float64{50, 1}, 50}, {"binomial", []float64{50, nan}, nan},
			{"_standard_gamma", []float64{-1}, nan}, {"_standard_gamma", []float64{nan}, nan},
		} {
			if got := draw(c.op, c.parameters, 1)[0]; !(got == c.want || got != got && c.want != c.want) {
				t.Errorf("%s%v is %v instead of %v", c.op, c.parameters, got, c.want)
			}
		}
		require.Less(t, draw("_standard_gamma", []float64{1e6}, 1)[0], inf)
	}
}
