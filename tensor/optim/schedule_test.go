package optim_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/optim"
)

// TestScheduleFormulas compares schedules with their formulas at every step, past their ends.
func TestScheduleFormulas(t *testing.T) {
	cosine := func(from, to, share float64) float64 { return to + (from-to)*(1+math.Cos(math.Pi*share))/2 }
	for name, c := range map[string]struct {
		s    optim.Schedule
		want func(step int) float64
	}{
		"every":       {optim.Every(3, optim.Exponential(0.5)), func(n int) float64 { return math.Pow(0.5, math.Floor(float64(n)/3)) }},
		"step decay":  {optim.StepDecay(4, 0.25), func(n int) float64 { return math.Pow(0.25, math.Floor(float64(n)/4)) }},
		"exponential": {optim.Exponential(0.9), func(n int) float64 { return math.Exp(float64(n) * math.Log(0.9)) }},
		"multi-step": {optim.MultiStep(0.5, 2, 5, 5, 9), func(n int) float64 {
			v := 1.0
			for _, at := range []int{2, 5, 5, 9} {
				if n >= at {
					v /= 2
				}
			}
			return v
		}},
		"cosine": {optim.Cosine(8, 0.1), func(n int) float64 { return cosine(1, 0.1, math.Min(float64(n)/8, 1)) }},
		"linear": {optim.Linear(8, 0.25, 2), func(n int) float64 { return 0.25 + 1.75*math.Min(float64(n)/8, 1) }},
		"then": {optim.Linear(4, 0, 1).Then(4, optim.Exponential(0.8)), func(n int) float64 {
			if n < 4 {
				return float64(n) / 4
			}
			return math.Pow(0.8, float64(n-4))
		}},
		"one-cycle": {optim.OneCycle(20), func(n int) float64 { // the peak is at step 0.3·20-1, the end at step 19
			if n <= 5 {
				return cosine(0.04, 1, float64(n)/5)
			}
			return cosine(1, 0.04/1e4, math.Min(float64(n-5)/14, 1))
		}},
	} {
		for step := range 24 {
			require.InDelta(t, c.want(step), c.s(step), 1e-12, "%s at step %d", name, step)
		}
	}
	for want, f := range map[string]func(){
		"every: 0 steps": func() { optim.Every(0, nil) }, "cosine: 0 steps": func() { optim.Cosine(0, 0) },
		"linear: 0 steps": func() { optim.Linear(0, 0, 1) }, "one-cycle: 0 steps": func() { optim.OneCycle(0) },
		"multi-step: steps [5 3] are not in ascending order": func() { optim.MultiStep(0.5, 5, 3) },
	} {
		require.ErrorContains(t, tensor.Try(f), want)
	}
	require.Equal(t, 1.0, optim.Every(1, optim.Cosine(1, 0))(0))
	require.Equal(t, 1.0, optim.Linear(1, 0, 1)(1))
}

// TestPlateau: the factor changes after more than Patience observations that do not fall by the threshold; Cooldown
// observations after that do not count.
func TestPlateau(t *testing.T) {
	p := optim.NewPlateau(0.5, 1)
	p.Threshold, p.Cooldown = 0.1, 2
	for i, c := range []struct{ observed, scale, best float64 }{
		{10, 1, 10}, {8, 1, 8}, // falls
		{7.5, 1, 8}, {7.3, 0.5, 8}, // by less than a tenth, twice
		{9, 0.5, 8}, {9, 0.5, 8}, // do not count
		{9, 0.5, 8}, {7.1, 0.5, 7.1}, // one, and a fall
		{7.1, 0.5, 7.1}, {math.NaN(), 0.25, 7.1},
	} {
		p.Observe(c.observed)
		require.Equal(t, c.scale, p.Schedule(i), "observation %d", i)
		require.Equal(t, c.best, p.Best, "observation %d", i)
	}
	q := optim.NewPlateau(0.5, 1)
	require.NoError(t, q.LoadState(p.State()))
	require.Equal(t, []any{p.Scale, p.Best, p.Bad, p.Rest}, []any{q.Scale, q.Best, q.Bad, q.Rest})
	require.Error(t, q.LoadState(map[string]*tensor.Tensor{"plateau": tensor.Ones(3)}))
}

// TestGradientsThatAreNil: what has no gradient has none when clipped, scaled or added up.
func TestGradientsThatAreNil(t *testing.T) {
	ctx := context.Background()
	x, y := tensor.Of([]float64{3, -4}), tensor.Of([]float64{12})
	clipped, norm := optim.ClipNorm([]*tensor.Tensor{nil, x, y}, 6.5)
	require.InDelta(t, 13, norm.Item(), 1e-12)
	require.Nil(t, clipped[0])
	require.InDeltaSlice(t, []float64{1.5, -2}, clipped[1].Float64s(), 1e-6)
	require.InDeltaSlice(t, []float64{6}, clipped[2].Float64s(), 1e-6)
	clipped, _ = optim.ClipNorm([]*tensor.Tensor{x}, 5.1) // is below the limit
	require.Equal(t, []float64{3, -4}, clipped[0].Float64s())
	none, norm := optim.ClipNorm([]*tensor.Tensor{nil}, 1)
	require.Nil(t, norm)
	require.Equal(t, []*tensor.Tensor{nil}, none)
	clipped = optim.ClipValue([]*tensor.Tensor{x, nil}, 3.5)
	require.Equal(t, []float64{3, -3.5}, clipped[0].Float64s())
	require.Nil(t, clipped[1])

	var a optim.Accumulator
	require.NoError(t, a.Add(ctx, []*tensor.Tensor{x, nil, nil, y}))
	require.NoError(t, a.Add(ctx, []*tensor.Tensor{x.MulScalar(2), y, nil, nil}))
	require.ErrorContains(t, tensor.Try(func() { _ = a.Add(ctx, []*tensor.Tensor{x}) }), "accumulate: 1 gradients after 4")
	mean := a.Mean()
	require.Equal(t, []float64{4.5, -6}, mean[0].Float64s())
	require.Equal(t, []float64{6}, mean[1].Float64s())
	require.Nil(t, mean[2])
	require.Equal(t, []float64{6}, mean[3].Float64s())
	require.NoError(t, a.Add(ctx, []*tensor.Tensor{y}), "it starts anew")
	require.Equal(t, []float64{12}, a.Mean()[0].Float64s())
}

// TestScalerFactor: the factor halves with each step that is left out and doubles after Interval others; parameters
// change as without it.
func TestScalerFactor(t *testing.T) {
	ctx := context.Background()
	p, idle := tensor.Of([]float64{1, 2}).RequiresGrad(), tensor.Of([]float64{5}).RequiresGrad()
	s := optim.NewScaler(&optim.SGD{LR: 0.5})
	s.Factor, s.Interval = 8, 2
	want := []float64{1, 2}
	for i, c := range []struct {
		gradient      []float64
		factor        float64
		good, skipped int
	}{
		{[]float64{1, -1}, 8, 1, 0}, {[]float64{2, 0}, 16, 0, 0}, {[]float64{0, math.Inf(1)}, 8, 0, 1}, {[]float64{1, 1}, 8, 1, 1},
		{[]float64{math.NaN(), 1}, 4, 0, 2}, {[]float64{4, 4}, 4, 1, 2}, {[]float64{4, 4}, 8, 0, 2},
	} {
		require.Equal(t, 3*s.Factor, s.Scaled(tensor.Of(3.)).Item())
		g := tensor.Of(c.gradient).MulScalar(s.Factor)
		require.NoError(t, s.Step(ctx, []*tensor.Tensor{p, idle}, []*tensor.Tensor{g, nil}))
		if s.Skipped == c.skipped && !math.IsNaN(c.gradient[0]) && !math.IsInf(c.gradient[1], 0) {
			for k := range want {
				want[k] -= 0.5 * c.gradient[k]
			}
		}
		require.Equal(t, []any{c.factor, c.good, c.skipped}, []any{s.Factor, s.Good, s.Skipped}, "step %d", i)
		require.Equal(t, want, p.Float64s(), "step %d", i)
	}
	require.Equal(t, []float64{5}, idle.Float64s())
	again := optim.NewScaler(&optim.SGD{LR: 0.5})
	require.NoError(t, again.LoadState(s.State()))
	require.Equal(t, []any{s.Factor, s.Good, s.Skipped}, []any{again.Factor, again.Good, again.Skipped})
	require.Error(t, again.LoadState(map[string]*tensor.Tensor{"scaler": tensor.Ones(2)}))
	require.Equal(t, []any{65536., 2000}, []any{optim.NewScaler(&optim.SGD{}).Factor, optim.NewScaler(&optim.SGD{}).Interval})
}
