package nn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// tied has one tensor under two names.
type tied struct{ Embedding, Head *tensor.Tensor }

// TestTiedState: a tensor with two names loads from either, and has to be under one.
func TestTiedState(t *testing.T) {
	w := tensor.Of([]float32{0, 0}).RequiresGrad()
	m := &tied{w, w}
	require.Len(t, nn.StateDict(m), 2)
	for i, name := range []string{"embedding", "head"} {
		v := float32(i + 1)
		require.NoError(t, nn.LoadStateDict(m, map[string]*tensor.Tensor{name: tensor.Of([]float32{v, v})}))
		require.Equal(t, []float32{v, v}, tensor.Data[float32](w))
	}
	require.NoError(t, nn.LoadStateDict(m, map[string]*tensor.Tensor{"embedding": w, "head": w}))
	require.EqualError(t, nn.LoadStateDict(m, map[string]*tensor.Tensor{}), "nn: embedding is missing; head is missing")
}
