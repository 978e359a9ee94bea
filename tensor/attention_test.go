package tensor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestAttentionOfSpecialValues compares attention with its definition where masks hide whole rows, and
// where infinities and NaN stand in masks, queries, keys and values: they reach the rows that they must, and
// no other. A row whose scores are all -Inf is NaN, as its softmax is.
func TestAttentionOfSpecialValues(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	special := []float32{float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}
	draw := func(n, specials int) []float32 {
		list := make([]float32, n)
		for i := range list {
			list[i] = float32(r.NormFloat64())
		}
		for range specials {
			list[r.IntN(n)] = special[r.IntN(3)]
		}
		return list
	}
	for k := range 60 {
		queries, keys, width := 1+r.IntN(20), 1+r.IntN(40), 4<<r.IntN(4)
		where := r.IntN(4) // what has special values
		few := func(i int) int {
			if i == where {
				return r.IntN(3)
			}
			return 0
		}
		q, key, v := draw(queries*width, few(0)), draw(keys*width, few(1)), draw(keys*width, few(2))
		mask := draw(queries*keys, few(3))
		for i := range mask {
			if r.IntN(3) == 0 || i/keys == queries/2 && k%2 == 0 { // a row that sees nothing
				mask[i] = float32(math.Inf(-1))
			}
		}
		want := make([]float64, queries*width)
		for i := range queries {
			scores, most, sum := make([]float64, keys), math.Inf(-1), 0.0
			for j := range keys {
				for c := range width {
					scores[j] += float64(q[i*width+c]) * float64(key[j*width+c])
				}
				scores[j] = scores[j]/math.Sqrt(float64(width)) + float64(mask[i*keys+j])
				most = max(most, scores[j])
			}
			for j := range keys {
				scores[j] = math.Exp(scores[j] - most)
				sum += scores[j]
			}
			if math.IsInf(most, -1) { // a query that sees no key has weights of 0, as in PyTorch since 2.5
				clear(scores)
				sum = 1
			}
			for j := range keys {
				for c := range width {
					want[i*width+c] += scores[j] / sum * float64(v[j*width+c])
				}
			}
		}
		for _, dev := range devices {
			on := func(x []float32, dims ...int) *tensor.Tensor { return tensor.FromSlice(x, dims...).To(dev) }
			got := tensor.Call("scaled_dot_product_attention", on(q, 1, 1, queries, width), on(key, 1, 1, keys, width),
				on(v, 1, 1, keys, width), on(mask, queries, keys))[0].Float64s()
			for i, w := range want {
				same := math.IsNaN(w) && math.IsNaN(got[i]) || w == got[i] || math.Abs(w-got[i]) <= 1e-5*(1+math.Abs(w))
				require.True(t, same, "case %d on %s: [%d %d %d], specials in %d, element %d: have %v, want %v", k, dev.Name(),
					queries, keys, width, where, i, got[i], w)
			}
		}
	}
}
