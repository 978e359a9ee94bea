package reference

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// Operators that keep, drop and choose.
func init() {
	coin := map[float64]float64{0: 0.7, 1: 0.3}
	p := func(n int) *tensor.Tensor { return tensor.FullLike(0.3, dtype.F32, n) }
	discrete("bernoulli", call("bernoulli", func(n int) []any { return []any{p(n)} }), coin)
	discrete("bernoulli.p", filled("bernoulli.p", 0.3), coin)
	discrete("bernoulli.float", filled("bernoulli.float", 0.3), coin)
	discrete("bernoulli.Tensor", call("bernoulli.Tensor", func(n int) []any {
		return []any{tensor.Zeros(n), p(n)}
	}), coin)
	weights := func() *tensor.Tensor { return tensor.FromSlice([]float32{1, 0, 3, 4}) }
	discrete("multinomial", call("multinomial", func(n int) []any { return []any{weights(), n, true} }),
		map[float64]float64{0: 0.125, 1: 0, 2: 0.375, 3: 0.5})
	// Every order of five is as likely as another: its first and last as a number.
	orders := map[float64]float64{}
	for first := range 5 {
		for last := range 5 {
			if first != last {
				orders[float64(5*first+last)] = 1.0 / 20
			}
		}
	}
	discrete("randperm", func(n int) []float64 {
		out := make([]float64, n/10)
		for i := range out {
			p := tensor.Call("randperm", 5)[0].Int64s()
			out[i] = float64(5*p[0] + p[4])
		}
		return out
	}, orders)

	const drop, keep = 0.25, 0.75
	plain := map[float64]float64{0: drop, 1 / keep: keep}
	discrete("dropout", dropped("dropout"), plain)
	discrete("native_dropout", dropped("native_dropout"), plain)
	discrete("feature_dropout", dropped("feature_dropout"), plain)
	// Klambauer et al. ("Self-Normalizing Neural Networks", 2017): a·(x·d + α'·(1-d)) + b
	// with α' = -λα, a = (q + α'²·q·(1-q))^(-1/2) and b = -a·(1-q)·α'.
	const alpha = -1.0507009873554805 * 1.6732632423543772
	a := 1 / math.Sqrt(keep+alpha*alpha*keep*drop)
	b := -a * drop * alpha
	selu := map[float64]float64{float64(float32(a + b)): keep, float64(float32(a*alpha + b)): drop}
	discrete("alpha_dropout", dropped("alpha_dropout"), selu)
	discrete("feature_alpha_dropout", dropped("feature_alpha_dropout"), selu)
}

// dropped drops from ones. Every number is a channel of its own.
func dropped(name string) func(n int) []float64 {
	return call(name, func(n int) []any { return []any{tensor.Ones(1, n, 1), 0.25, true} })
}
