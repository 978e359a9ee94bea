package optim_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/optim"
)

// TestLBFGSDirections compares steps with the dense form of the method (Nocedal and Wright, 2006, formula 7.16): the
// inverse H of the second derivative is built from the last pairs (s, y), H' = (I-ρsyᵀ)·H·(I-ρysᵀ) + ρssᵀ from γ·I.
func TestLBFGSDirections(t *testing.T) {
	ctx := context.Background()
	curvature := []float64{1, 3, 0.5, 2}
	for _, memory := range []int{1, 2, 100} {
		p := tensor.Of(start).RequiresGrad()
		idle := tensor.Of([]float64{7}).RequiresGrad()
		opt := optim.NewLBFGS(0.7)
		opt.Memory, opt.Iterations, opt.Evaluations = memory, 3, 25
		evaluations := 0
		loss := func() *tensor.Tensor {
			evaluations++
			d := p.Sub(tensor.Of(target))
			return d.Mul(d).Mul(tensor.Of(curvature)).Sum().MulScalar(0.5)
		}
		n := len(start)
		x := mat.NewVecDense(n, append([]float64{}, start...))
		gradient := func() (*mat.VecDense, float64) {
			g, sum := mat.NewVecDense(n, nil), 0.0
			for i := range n {
				d := x.AtVec(i) - target[i]
				g.SetVec(i, curvature[i]*d)
				sum += curvature[i] * d * d / 2
			}
			return g, sum
		}
		var moves, changes []*mat.VecDense
		first := true
		for step := range 3 {
			g, before := gradient()
			for range 3 {
				h := mat.NewDense(n, n, nil)
				gamma := 1.0
				if k := len(moves); k > 0 {
					gamma = mat.Dot(moves[k-1], changes[k-1]) / mat.Dot(changes[k-1], changes[k-1])
				}
				for i := range n {
					h.Set(i, i, gamma)
				}
				for k := max(len(moves)-memory, 0); k < len(moves); k++ {
					s, y := moves[k], changes[k]
					rho := 1 / mat.Dot(s, y)
					var left, next, rank mat.Dense
					left.Outer(-rho, s, y)
					for i := range n {
						left.Set(i, i, left.At(i, i)+1)
					}
					next.Product(&left, h, left.T())
					rank.Outer(rho, s, s)
					h.Add(&next, &rank)
				}
				length := 0.7
				if first {
					length *= math.Min(1, 1/mat.Norm(g.T(), math.Inf(1))) // ‖g‖₁
					first = false
				}
				var d, s, y mat.VecDense
				d.MulVec(h, g)
				s.ScaleVec(-length, &d)
				x.AddVec(x, &s)
				after, _ := gradient()
				y.SubVec(after, g)
				moves, changes, g = append(moves, &s), append(changes, &y), after
			}
			got, err := opt.Step(ctx, []*tensor.Tensor{p, idle}, loss)
			require.NoError(t, err)
			require.InDelta(t, before, got, 1e-12)
			require.InDeltaSlice(t, x.RawVector().Data, p.Float64s(), 1e-9, "memory %d, step %d", memory, step)
		}
		require.Equal(t, 9, evaluations, "the last move of a step is not evaluated in it")
		require.Equal(t, []float64{7}, idle.Float64s())
	}
}

// TestLBFGSEnds: a step ends with a small gradient, after a number of evaluations, or with a small change.
func TestLBFGSEnds(t *testing.T) {
	run := func(change func(o *optim.LBFGS)) (evaluations int, x float64) {
		p := tensor.Of([]float64{2}).RequiresGrad()
		opt := optim.NewLBFGS(0.25)
		change(opt)
		_, err := opt.Step(context.Background(), []*tensor.Tensor{p}, func() *tensor.Tensor {
			evaluations++
			return p.Mul(p).Sum().MulScalar(0.5)
		})
		require.NoError(t, err)
		return evaluations, p.Item()
	}
	for name, c := range map[string]struct {
		change      func(o *optim.LBFGS)
		evaluations int
		left        float64 // each move but the first leaves three quarters
	}{
		"gradient":    {func(o *optim.LBFGS) { o.GradientTolerance = 2 }, 1, 2},
		"one":         {func(o *optim.LBFGS) { o.Iterations = 1 }, 1, 1.75}, // by the rate over ‖g‖₁, along -g
		"two":         {func(o *optim.LBFGS) { o.Iterations = 2 }, 2, 1.3125},
		"evaluations": {func(o *optim.LBFGS) { o.Evaluations = 3 }, 3, 1.3125},
		"move":        {func(o *optim.LBFGS) { o.ChangeTolerance = 0.25 }, 2, 1.75},       // the first move is by 0.25
		"loss":        {func(o *optim.LBFGS) { o.ChangeTolerance = 0.24 }, 5, 0.73828125}, // the fourth is by 0.246, and the loss falls by 0.212
		"direction":   {func(o *optim.LBFGS) { o.ChangeTolerance = 4.5 }, 1, 2},
		"tolerant":    {func(o *optim.LBFGS) { o.GradientTolerance = 1.4 }, 3, 1.3125},
	} {
		evaluations, x := run(c.change)
		require.Equal(t, c.evaluations, evaluations, name)
		require.InDelta(t, c.left, x, 1e-9, name)
	}
	for fails := 1; fails <= 2; fails++ { // in the first evaluation, and after a move
		p := tensor.Of([]float64{2}).To(acap.Device()).RequiresGrad()
		ctx, cancel := context.WithCancel(context.Background())
		evaluations := 0
		opt := optim.NewLBFGS(0.25)
		before, err := opt.Step(ctx, []*tensor.Tensor{p}, func() *tensor.Tensor {
			if evaluations++; evaluations == fails {
				cancel()
			}
			return p.Mul(p).Sum().MulScalar(0.5)
		})
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, map[int]float64{1: 0, 2: 2}[fails], before, "the loss before, if it was known")
		require.Equal(t, 2.0, p.Item(), "nothing has changed")
		require.Equal(t, optim.NewLBFGS(0.25).State()["numbers"].Float64s(), opt.State()["numbers"].Float64s())
		cancel()
	}
	defaults := optim.NewLBFGS(0.5)
	require.Equal(t, []any{0.5, 20, 25, 1e-7, 1e-9, 100}, []any{defaults.LR, defaults.Iterations, defaults.Evaluations,
		defaults.GradientTolerance, defaults.ChangeTolerance, defaults.Memory})
}

// TestLBFGSLiteral: an optimiser that was made without NewLBFGS, with the same numbers, makes the same steps.
func TestLBFGSLiteral(t *testing.T) {
	made := optim.NewLBFGS(0.7)
	literal := &optim.LBFGS{LR: 0.7, Iterations: made.Iterations, Evaluations: made.Evaluations, GradientTolerance: made.GradientTolerance,
		ChangeTolerance: made.ChangeTolerance, Memory: made.Memory}
	var ends [][]float64
	for _, opt := range []*optim.LBFGS{made, literal} {
		p := tensor.Of([]float64{1, -2}).RequiresGrad()
		_, err := opt.Step(context.Background(), []*tensor.Tensor{p}, func() *tensor.Tensor { return p.Mul(p).Sum() })
		require.NoError(t, err)
		ends = append(ends, p.Float64s())
	}
	require.InDeltaSlice(t, []float64{0, 0}, ends[1], 1e-3)
	require.Equal(t, ends[0], ends[1])
}
