package ops_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// TestSharedHeads: heads of keys and values that serve groups of heads of queries give what they do
// when they are repeated, and heads that do not divide are refused.
func TestSharedHeads(t *testing.T) {
	attend := func(q, k, v *tensor.Tensor, shared bool) *tensor.Tensor {
		return tensor.Call("scaled_dot_product_attention", q, k, v, tensor.With("enable_gqa", shared))[0]
	}
	_, x := sampleTensors(ops.Sample{ops.S(2, 6, 3, 4), ops.S(2, 2, 5, 4), ops.S(2, 2, 5, 7)}, 3, true)
	wide := func(v *tensor.Tensor) *tensor.Tensor {
		return tensor.Call("repeat_interleave.self_int", v, 3, 1)[0]
	}
	got, want := attend(x[0], x[1], x[2], true), attend(x[0], wide(x[1]), wide(x[2]), false)
	require.Equal(t, []int{2, 6, 3, 7}, got.Shape())
	require.InDeltaSlice(t, want.Float64s(), got.Float64s(), 1e-12)
	require.Error(t, tensor.Try(func() { attend(x[0].Narrow(1, 0, 5), x[1], x[2], true).Float64s() }))
}

// TestQueriesWithoutKeys: a query that sees no key takes nothing, and no gradient comes through it; others are as
// arithmetic has them. Softmax itself stays NaN.
func TestQueriesWithoutKeys(t *testing.T) {
	inf := math.Inf(-1)
	bools := tensor.Of([]bool{false, false, true, false, true, true}, 3, 2)
	numbers := tensor.Of([]float64{inf, inf, 0, inf, 0, 0}, 3, 2)
	for name, mask := range map[string]*tensor.Tensor{"bool": bools, "float": numbers} {
		t.Run(name, func(t *testing.T) {
			_, x := sampleTensors(ops.Sample{ops.S(1, 1, 3, 4), ops.S(1, 1, 2, 4), ops.S(1, 1, 2, 4)}, 3, true)
			q, k, v := x[0].RequiresGrad(), x[1].RequiresGrad(), x[2].RequiresGrad()
			y := tensor.Call("scaled_dot_product_attention", q, k, v, mask)[0]
			got, value := y.Float64s(), v.Float64s()
			require.Equal(t, make([]float64, 4), got[:4])
			require.InDeltaSlice(t, value[:4], got[4:8], 1e-12) // the second query sees the first key alone
			grads := tensor.Grad([]*tensor.Tensor{y.Sum()}, []*tensor.Tensor{q, k, v}, nil)
			require.Equal(t, make([]float64, 8), grads[0].Float64s()[:8], "no key, or one, leaves nothing to choose")
			for _, g := range grads {
				for _, n := range g.Float64s() {
					require.False(t, math.IsNaN(n))
				}
			}
			shares := grads[2].Float64s() // the values' gradient is the sum of the shares that are taken
			require.InDelta(t, 2, shares[0]+shares[4], 1e-12)
		})
	}
	row := tensor.Of([]float64{inf, inf}, 2)
	require.True(t, math.IsNaN(row.Softmax(0).Float64s()[0]))
	require.Equal(t, []float64{0, 0}, tensor.Call("_safe_softmax", row, 0)[0].Float64s())
	require.True(t, math.IsNaN(tensor.Call("_safe_softmax", tensor.Of([]float64{math.NaN(), inf}, 2), 0)[0].Float64s()[1]))
}

// TestScoresOfHalves: scores of half types keep what rounding to 8 or 11 bits would lose. The sums of products are
// 100.0625 and 99.8125, so that the first value, 1, has the weight 1/(1 + exp(-0.25)).
func TestScoresOfHalves(t *testing.T) {
	for _, d := range []dtype.DType{dtype.BF16, dtype.F16} {
		t.Run(d.String(), func(t *testing.T) {
			half := func(values []float64, dims ...int) *tensor.Tensor { return tensor.Of(values, dims...).ToDtype(d) }
			y := tensor.Call("scaled_dot_product_attention", half([]float64{16, 1}, 1, 1, 1, 2),
				half([]float64{6.25, 0.0625, 6.25, -0.1875}, 1, 1, 2, 2), half([]float64{1, 0}, 1, 1, 2, 1), nil, 0.0, false,
				tensor.With("scale", 1.0))[0]
			require.InDelta(t, 1/(1+math.Exp(-0.25)), y.Float64s()[0], 2e-3)
		})
	}
}

// TestMaskBesideCausal: PyTorch 2.14 refuses a mask beside is_causal, but for the kernel of processors, which adds the
// mask to the scores of what is seen.
func TestMaskBesideCausal(t *testing.T) {
	_, x := sampleTensors(ops.Sample{ops.S(1, 2, 3, 4), ops.S(1, 2, 3, 4), ops.S(1, 2, 3, 4)}, 3, true)
	inf := math.Inf(-1)
	mask := tensor.Of([]float64{0.5, 1, 2, -1, inf, 1, inf, 3, 0}, 3, 3)
	both := tensor.Of([]float64{0.5, inf, inf, -1, inf, inf, inf, 3, 0}, 3, 3)
	for _, name := range []string{"scaled_dot_product_attention", "_scaled_dot_product_attention_math"} {
		err := tensor.Try(func() { tensor.Call(name, x[0], x[1], x[2], mask, 0.0, true) })
		require.ErrorContains(t, err, "attn_mask stands beside is_causal", name)
	}
	const flash = "_scaled_dot_product_flash_attention_for_cpu"
	want := tensor.Call(flash, x[0], x[1], x[2], 0.0, false, tensor.AttnMask(both))[0]
	got := tensor.Call(flash, x[0], x[1], x[2], 0.0, true, tensor.AttnMask(mask))[0]
	require.InDeltaSlice(t, want.Float64s(), got.Float64s(), 1e-12)
}
