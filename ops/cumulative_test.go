package ops_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestSecondDerivativeOfLogCumSumExp compares with differences of gradients, for cotangents of both signs and of 0.
func TestSecondDerivativeOfLogCumSumExp(t *testing.T) {
	c := tensor.FromSlice([]float64{0.5, -1, 0, 2}, 4)
	gradient := func(x *tensor.Tensor, options ...tensor.GradOption) *tensor.Tensor {
		y := tensor.Call("logcumsumexp", x, 0)[0]
		return tensor.Grad([]*tensor.Tensor{y.Mul(y).Mul(c).Sum()}, []*tensor.Tensor{x}, nil, options...)[0]
	}
	at := []float64{0.3, -0.7, 1.1, 0.2}
	w := []float64{1, 0.4, -2, 0.3}
	x := tensor.FromSlice(at, 4).RequiresGrad()
	g := gradient(x, tensor.CreateGraph)
	got := tensor.Grad([]*tensor.Tensor{g.Mul(tensor.FromSlice(w, 4)).Sum()}, []*tensor.Tensor{x}, nil)[0].Float64s()
	for i := range at {
		side := func(h float64) float64 {
			moved := append([]float64{}, at...)
			moved[i] += h
			return dot(gradient(tensor.FromSlice(moved, 4).RequiresGrad()), tensor.FromSlice(w, 4))
		}
		want := (side(1e-5) - side(-1e-5)) / 2e-5
		require.False(t, math.IsNaN(got[i]))
		require.InDelta(t, want, got[i], 1e-6, i)
	}
}
