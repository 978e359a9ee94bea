package reference

import "math"

// Batch norm in training: every channel is shifted and scaled to mean 0 and variance 1.
// The statistics move by momentum towards the batch's, where the variance has n-1 in its denominator.
func init() {
	Functions["_native_batch_norm_legit_functional"] = func(a Args) []Result {
		x, weight, bias := a.tensor(0), a.floats(1), a.floats(2)
		momentum, eps := a[6].(float64), a[7].(float64)
		channels := x.Shape[1]
		inner := x.Len() / (x.Shape[0] * channels)
		channel := func(i int) int { return i / inner % channels }
		n := float64(x.Len() / channels)
		mean, variance := make([]float64, channels), make([]float64, channels)
		for i, v := range elements(x) {
			mean[channel(i)] += v / n
		}
		for i, v := range elements(x) {
			d := v - mean[channel(i)]
			variance[channel(i)] += d * d / n
		}
		y, scales := zeros(x.DType, x.Shape...), zeros(x.DType, channels)
		for c := range channels {
			scales.Values[c] = 1 / math.Sqrt(variance[c]+eps)
		}
		for i, v := range elements(x) {
			c := channel(i)
			y.Values[i] = (v-mean[c])*scales.Values[c]*weight[c] + bias[c]
		}
		means, variances := zeros(x.DType, channels), zeros(x.DType, channels)
		for c := range channels {
			means.Values[c] = a.floats(3)[c]*(1-momentum) + mean[c]*momentum
			variances.Values[c] = a.floats(4)[c]*(1-momentum) + variance[c]*n/(n-1)*momentum
		}
		return []Result{y, {x.DType, []int{channels}, mean}, scales, means, variances}
	}
}
