package optim_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/optim"
)

// LBFGS goes on from its state with the same bits.
func TestLBFGSState(t *testing.T) {
	rosenbrock := func(p *tensor.Tensor) *tensor.Tensor {
		x, y := p.Select(0, 0), p.Select(0, 1)
		a, b := tensor.Scalar(1.0).Sub(x), y.Sub(x.Mul(x))
		return a.Mul(a).Add(b.Mul(b).MulScalar(100))
	}
	run := func(l *optim.LBFGS, p *tensor.Tensor, steps int) {
		for range steps {
			_, err := l.Step(context.Background(), []*tensor.Tensor{p}, func() *tensor.Tensor { return rosenbrock(p) })
			require.NoError(t, err)
		}
	}
	start := func() *tensor.Tensor { return tensor.Of([]float64{-1, 0.5}).RequiresGrad() }
	whole, p := optim.NewLBFGS(0.1), start()
	run(whole, p, 2)
	again, q := optim.NewLBFGS(0.1), tensor.Of(p.Float64s()).RequiresGrad()
	require.NoError(t, again.LoadState(whole.State()))
	run(whole, p, 2)
	run(again, q, 2)
	require.Equal(t, p.Float64s(), q.Float64s())

	fresh := optim.NewLBFGS(0.1)
	require.NoError(t, fresh.LoadState(optim.NewLBFGS(1).State()), "of no step")
	state := whole.State()
	state["moves"] = tensor.Of([]float64{1})
	require.ErrorContains(t, fresh.LoadState(state), "moves")
	state["numbers"] = tensor.Of([]float64{1, 1, 1, 1, 1e9})
	require.Error(t, fresh.LoadState(state))
}

func TestPlateauState(t *testing.T) {
	a := optim.NewPlateau(0.5, 1)
	for _, v := range []float64{3, 2, 2, 2, 2} {
		a.Observe(v)
	}
	b := optim.NewPlateau(0.5, 1)
	require.NoError(t, b.LoadState(a.State()))
	require.Equal(t, a, b)
	require.Error(t, b.LoadState(nil))
}

// A fall counts from a ten-thousandth on, as in PyTorch.
func TestPlateauThreshold(t *testing.T) {
	for fall, scale := range map[float64]float64{1.1e-4: 1, 0.9e-4: 0.5} {
		p := optim.NewPlateau(0.5, 0)
		p.Observe(2)
		p.Observe(2 * (1 - fall))
		require.Equal(t, scale, p.Scale, fall)
	}
}

// TestErrorsInOrder: of several names that are none, an error always names the first by the alphabet.
func TestErrorsInOrder(t *testing.T) {
	for range 50 {
		o := optim.NewAdam(0.1)
		err := o.LoadState(map[string]*tensor.Tensor{"count": tensor.Of(int64(1)), "c": tensor.Of(int64(1)), "b": tensor.Of(int64(1)), "d": tensor.Of(int64(1))})
		require.ErrorContains(t, err, `"b" is no name`)
	}
}
