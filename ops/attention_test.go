package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

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
