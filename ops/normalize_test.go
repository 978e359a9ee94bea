package ops_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// moments are mean and variance in float64.
func moments(x []float64) (mean, variance float64) {
	for _, v := range x {
		mean += (v - x[0]) / float64(len(x))
	}
	mean += x[0]
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	return mean, variance
}

// TestLargeMeans: normalizations and variances of float32 numbers whose mean is a million times their spread agree with
// the same numbers in float64; where all numbers are one, nothing is left of it.
func TestLargeMeans(t *testing.T) {
	const n, eps = 240, 1e-5
	kinds := map[string]func(i int) float32{
		"constant":         func(int) float32 { return 1e6 },
		"odd constant":     func(int) float32 { return 1234567.875 },
		"large constant":   func(int) float32 { return -9.8765e7 },
		"two neighbours":   func(i int) float32 { return 1e6 + float32(i%2)/16 },
		"spread":           func(i int) float32 { return -1e6 + float32(i*7%31)/16 },
		"far from 0":       func(i int) float32 { return 16777216 + 2*float32(i*5%17) },
		"first far away":   func(i int) float32 { return []float32{1e4, float32(i*7%31) / 31}[min(i, 1)] },
		"small, near mean": func(i int) float32 { return 1e-3 + 1e-9*float32(i*7%31) },
	}
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			x, wide := make([]float32, n), make([]float64, n)
			for i := range x {
				x[i] = kind(i)
				wide[i] = float64(x[i])
			}
			mean, variance := moments(wide)
			want := make([]float64, n)
			for i, v := range wide {
				want[i] = (v - mean) / math.Sqrt(variance+eps)
			}
			call := func(operator string, args ...any) []*tensor.Tensor { return tensor.Call(operator, args...) }
			row := tensor.Of(x, 1, n)
			channel := tensor.Of(x, 1, 1, n)
			for form, y := range map[string][]*tensor.Tensor{
				"layer_norm":    call("native_layer_norm", row, []int{n}, nil, nil, eps),
				"group_norm":    call("native_group_norm", channel, nil, nil, 1, 1, n, 1, eps),
				"batch_norm":    call("native_batch_norm", tensor.Of(x, n, 1), nil, nil, nil, nil, true, 0.1, eps),
				"instance_norm": call("instance_norm", channel, nil, nil, nil, nil, true, 0.1, eps, false),
				"with statistics": call("native_batch_norm", tensor.Of(x, n, 1), nil, nil, tensor.Of([]float32{float32(mean)}, 1),
					tensor.Of([]float32{float32(variance)}, 1), false, 0.1, eps),
			} {
				rounded := 0.0
				if form == "with statistics" { // what the mean that is given lacks
					rounded = math.Abs(float64(float32(mean))-mean) / math.Sqrt(variance+eps)
				}
				require.InDeltaSlice(t, want, y[0].Float64s(), 3e-5+rounded, form)
				if len(y) > 1 && y[1].NumElements() == 1 {
					require.InEpsilon(t, mean, y[1].Float64s()[0], 2e-7, form)
				}
			}
			for _, operator := range []string{"var", "std", "var_mean", "std_mean"} {
				root := variance
				if operator[:3] == "std" {
					root = math.Sqrt(variance)
				}
				got := call(operator, row, false)
				require.InDelta(t, root, got[0].Float64s()[0], 1e-5*root, operator)
				if len(got) > 1 {
					require.InEpsilon(t, mean, got[1].Float64s()[0], 2e-7, operator)
				}
			}
		})
	}
}
