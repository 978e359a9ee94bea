package ops_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestRunningStatistics: in training a norm takes mean and variance of the elements that it normalizes together, and
// the running ones move towards them, with the unbiased variance; the running ones of an instance norm towards their
// mean over the samples. Otherwise it takes the running ones, which stay.
func TestRunningStatistics(t *testing.T) {
	tensor.Seed(19)
	const samples, channels, length, momentum, eps = 3, 2, 4, 0.25, 1e-3
	x := tensor.Randn(samples, channels, length).ToDtype(tensor.Of(1.).DType())
	v := x.Float64s()
	for _, c := range []struct {
		op       string
		together int // samples
	}{{"batch_norm", samples}, {"instance_norm", 1}} {
		for _, training := range []bool{true, false} {
			mean, variance := tensor.Of([]float64{0.5, -1}), tensor.Of([]float64{2, 0.5})
			means, variances := []float64{0.5, -1}, []float64{2, 0.5}
			want := make([]float64, len(v))
			moved := [][]float64{{0, 0}, {0, 0}}
			for ch := range channels {
				for s := 0; s < samples; s += c.together {
					var places []int
					for k := range c.together * length {
						places = append(places, ((s+k/length)*channels+ch)*length+k%length)
					}
					n, m, sum := float64(len(places)), 0.0, 0.0
					for _, p := range places {
						m += v[p] / n
					}
					for _, p := range places {
						sum += (v[p] - m) * (v[p] - m)
					}
					share := float64(c.together) / samples
					moved[0][ch] += m * share
					moved[1][ch] += sum / (n - 1) * share
					used, spread := m, sum/n
					if !training {
						used, spread = means[ch], variances[ch]
					}
					for _, p := range places {
						want[p] = (v[p] - used) / math.Sqrt(spread+eps)
					}
				}
				if training {
					means[ch] += momentum * (moved[0][ch] - means[ch])
					variances[ch] += momentum * (moved[1][ch] - variances[ch])
				}
			}
			y := tensor.Call(c.op, x, nil, nil, mean, variance, training, momentum, eps, false)[0]
			require.InDeltaSlice(t, want, y.Float64s(), 1e-12, c.op)
			require.InDeltaSlice(t, means, mean.Float64s(), 1e-12, c.op)
			require.InDeltaSlice(t, variances, variance.Float64s(), 1e-12, c.op)
		}
	}
	only := tensor.Of([]float64{0.5, -1})
	y := tensor.Call("instance_norm", x, nil, nil, only, nil, true, momentum, eps, false)[0]
	without := tensor.Call("instance_norm", x, nil, nil, nil, nil, true, momentum, eps, false)[0]
	require.InDeltaSlice(t, without.Float64s(), y.Float64s(), 1e-12)
	require.Equal(t, []float64{0.5, -1}, only.Float64s(), "one of the two statistics alone is not moved")
}
