package optim_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/optim"
)

// recorded is the output of testdata/record.py.
type recorded struct {
	Steps map[string]struct {
		Losses     []float64
		Parameters [][]float64
	}
	Rates map[string][]float64
}

func readRecorded(t *testing.T) (r recorded) {
	file, err := os.Open("testdata/torch.json.gz")
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	require.NoError(t, json.NewDecoder(z).Decode(&r))
	return r
}

// problem is the problem of record.py.
type problem struct {
	params          []*tensor.Tensor
	target, weights *tensor.Tensor
}

func newProblem(dev device.Device) *problem {
	return &problem{
		params: []*tensor.Tensor{
			tensor.Of([]float64{1, -2, 0.5, 3}).To(dev).RequiresGrad(),
			tensor.Of([][]float64{{0.3, -0.7, 1.1}, {2, -1.5, 0.1}}).To(dev).RequiresGrad(),
		},
		target:  tensor.Of([]float64{0.25, 1, -1, 2.5}).To(dev),
		weights: tensor.Of([]float64{1, 2, 3}).To(dev),
	}
}

func (p *problem) loss() *tensor.Tensor {
	a, b := p.params[0], p.params[1]
	d, c := a.Sub(p.target), a.Mean().Mul(b)
	return d.Mul(d).Sum().MulScalar(0.5).Add(b.Sin().Mul(p.weights).Sum()).Add(c.Mul(c).Sum().MulScalar(0.1))
}

func (p *problem) values() []float64 {
	return append(p.params[0].Float64s(), p.params[1].Float64s()...)
}

// optimisers are the optimisers of record.py.
func optimisers(p *problem) map[string]optim.Optimizer {
	adam, cosine := optim.NewAdam(0.1), optim.NewAdamW(0.1, 0.05)
	adam.WeightDecay = 0.02
	cosine.Schedule = optim.Cosine(30, 0.1)
	centered := optim.NewRMSprop(0.02)
	centered.Alpha, centered.Centered, centered.Momentum, centered.WeightDecay = 0.9, true, 0.8, 0.01
	adagrad := optim.NewAdagrad(0.3)
	adagrad.Decay, adagrad.WeightDecay, adagrad.Start = 0.1, 0.01, 0.2
	lion := optim.NewLion(0.01)
	lion.WeightDecay = 0.1
	groups := &optim.SGD{LR: 0.1, Momentum: 0.5}
	groups.Groups = []optim.Group{{Parameters: p.params[1:], LR: 0.02, WeightDecay: 0.1}}
	return map[string]optim.Optimizer{
		"sgd":              &optim.SGD{LR: 0.1},
		"sgd momentum":     &optim.SGD{LR: 0.05, Momentum: 0.9, Dampening: 0.1, WeightDecay: 0.01},
		"sgd nesterov":     &optim.SGD{LR: 0.05, Momentum: 0.9, Nesterov: true},
		"sgd groups":       groups,
		"adam":             adam,
		"adamw":            optim.NewAdamW(0.1, 0.05),
		"rmsprop":          optim.NewRMSprop(0.02),
		"rmsprop centered": centered,
		"adagrad":          adagrad,
		"clip norm":        &optim.SGD{LR: 0.1},
		"clip value":       &optim.SGD{LR: 0.1},
		"cosine":           cosine,
		"lion":             lion,
	}
}

// TestRecorded makes the steps that PyTorch made, with one program.
func TestRecorded(t *testing.T) {
	r := readRecorded(t)
	ctx := context.Background()
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		for name, want := range r.Steps {
			t.Run(dev.Name()+"/"+name, func(t *testing.T) {
				p := newProblem(dev)
				opt := optimisers(p)[name]
				var compiled int
				for step, loss := range want.Losses {
					if name == "lbfgs" {
						if step == 0 {
							opt = lbfgs{optim.NewLBFGS(0.1), p}
						}
					}
					l := p.loss()
					grads := tensor.Grad([]*tensor.Tensor{l}, p.params, nil)
					switch name {
					case "clip norm":
						grads, _ = optim.ClipNorm(grads, 1.5)
					case "clip value":
						grads = optim.ClipValue(grads, 0.4)
					}
					require.NoError(t, opt.Step(ctx, p.params, grads, l))
					require.InDelta(t, loss, l.Item(), 1e-11, "step %d", step)
					require.InDeltaSlice(t, want.Parameters[step], p.values(), 1e-11, "step %d", step)
					if step == 0 {
						compiled = lazy.For(dev).Metrics().CompiledPrograms
					}
				}
				if name != "lbfgs" && dev != host.Device() { // where each call is a program, which other tests may have had
					require.Equal(t, compiled, lazy.For(dev).Metrics().CompiledPrograms, "one program")
				}
			})
		}
	}
}

// lbfgs lets the table step LBFGS as it does the others.
type lbfgs struct {
	*optim.LBFGS
	p *problem
}

func (l lbfgs) Step(ctx context.Context, params, _ []*tensor.Tensor, with ...*tensor.Tensor) error {
	if err := tensor.Sync(ctx, with...); err != nil {
		return err
	}
	l.Iterations, l.Evaluations = 4, 5
	_, err := l.LBFGS.Step(ctx, params, l.p.loss)
	return err
}

func TestSchedules(t *testing.T) {
	r := readRecorded(t)
	plateau := optim.NewPlateau(0.5, 3)
	plateau.Cooldown = 2
	schedules := map[string]optim.Schedule{
		"step":        optim.StepDecay(7, 0.3),
		"multistep":   optim.MultiStep(0.5, 3, 10, 11),
		"exponential": optim.Exponential(0.9),
		"cosine":      optim.Cosine(40, 0.1),
		"linear":      optim.Linear(8, 0.25, 1),
		"one-cycle":   optim.OneCycle(41),
		"warm-up":     optim.Linear(5, 0.1, 1).Then(5, optim.Exponential(0.8)),
		"plateau":     plateau.Schedule,
	}
	require.Len(t, schedules, len(r.Rates))
	for name, want := range r.Rates {
		for step, rate := range want {
			require.InDelta(t, rate, schedules[name](step), 1e-12, "%s, step %d", name, step)
			if name == "plateau" {
				v := max(0.2, 1-0.1*float64(step))
				if step > 30 {
					v += 0.05
				}
				plateau.Observe(v)
			}
		}
	}
}

// A step that failed can be made again, and changes nothing before.
func TestFailedStepOfAll(t *testing.T) {
	r := readRecorded(t)
	dead, cancel := context.WithCancel(context.Background())
	cancel()
	for name, want := range r.Steps {
		if name == "lbfgs" || name == "clip norm" || name == "clip value" {
			continue
		}
		p := newProblem(acap.Device())
		opt := optimisers(p)[name]
		x := tensor.Rand(3, 3).To(acap.Device())
		for step := range 6 {
			grads := tensor.Grad([]*tensor.Tensor{p.loss()}, p.params, nil)
			before := p.values()
			err := opt.Step(dead, p.params, grads, tensor.Call("_linalg_svd", x)[1]) // looks at its context
			require.ErrorIs(t, err, context.Canceled, name)
			require.Equal(t, before, p.values(), name)
			require.NoError(t, opt.Step(context.Background(), p.params, grads))
			require.InDeltaSlice(t, want.Parameters[step], p.values(), 1e-11, name)
		}
	}
}

// A run that goes on from a state equals one that was not interrupted.
func TestResume(t *testing.T) {
	type saver interface {
		optim.Optimizer
		State() map[string]*tensor.Tensor
		LoadState(map[string]*tensor.Tensor) error
	}
	r := readRecorded(t)
	ctx := context.Background()
	for name := range optimisers(newProblem(host.Device())) {
		if name == "clip norm" || name == "clip value" {
			continue
		}
		p := newProblem(acap.Device())
		opt := optimisers(p)[name].(saver)
		for step := range 12 {
			if step == 6 {
				saved := map[string]*tensor.Tensor{}
				for key, s := range opt.State() {
					saved[key] = s.Clone().Cpu()
				}
				values := []*tensor.Tensor{p.params[0].Detach().Clone(), p.params[1].Detach().Clone()}
				p = newProblem(acap.Device())
				opt = optimisers(p)[name].(saver)
				for i, v := range values {
					tensor.NoGrad(func() { p.params[i].CopyInPlace(v) })
				}
				require.NoError(t, opt.LoadState(saved))
			}
			require.NoError(t, optim.Minimize(ctx, opt, p.params, p.loss()))
		}
		require.InDeltaSlice(t, r.Steps[name].Parameters[11], p.values(), 1e-11, name)
		for _, wrong := range []map[string]*tensor.Tensor{{}, {"x": tensor.Ones(1)}, {"count": nil},
			{"count": tensor.Of(int64(1)), "0.mean": tensor.Ones(1)}, {"count": tensor.Ones(1)},
			{"count": tensor.Of(int64(1)), "99999999.step": tensor.Of(int64(1))}} {
			require.Error(t, opt.LoadState(wrong))
		}
	}
}

func TestAccumulator(t *testing.T) {
	ctx := context.Background()
	p := tensor.Of([]float64{1, 2}).To(acap.Device()).RequiresGrad()
	params := []*tensor.Tensor{p}
	var a optim.Accumulator
	for round := range 2 {
		for i := range 3 {
			loss := p.MulScalar(float64(i + round)).Sum()
			require.NoError(t, a.Add(ctx, tensor.Grad([]*tensor.Tensor{loss}, params, nil), loss))
			require.False(t, loss.Pending())
		}
		mean := a.Mean()
		require.Equal(t, []float64{float64(1 + round), float64(1 + round)}, mean[0].Float64s())
	}
	p.Sum().Backward()
	p.Sum().Backward()
	require.Equal(t, []float64{2, 2}, optim.Gradients(params)[0].Float64s())
	require.Nil(t, p.Gradient())
}

// Infinite gradients skip a step and halve the factor.
func TestScaler(t *testing.T) {
	ctx := context.Background()
	dev := acap.Device()
	for _, opt := range []optim.Optimizer{&optim.SGD{LR: 0.5, Momentum: 0.9}, optim.NewAdam(0.5)} {
		p := tensor.Of([]float32{1, 2}).To(dev).RequiresGrad()
		s := optim.NewScaler(opt)
		s.Interval = 2
		for i := range 8 {
			before := p.Float32s()
			loss := p.Sum()
			if i == 3 {
				loss = loss.DivScalar(0)
			}
			grads := tensor.Grad([]*tensor.Tensor{s.Scaled(loss)}, []*tensor.Tensor{p}, nil)
			require.NoError(t, s.Step(ctx, []*tensor.Tensor{p}, grads, loss))
			if i == 3 {
				require.Equal(t, before, p.Float32s())
				require.Equal(t, 1, s.Skipped)
			} else {
				require.Less(t, p.Float32s()[0], before[0])
			}
		}
		require.Equal(t, float64(1<<18), s.Factor)
		require.False(t, math32IsNaN(p.Float32s()))
	}
	require.Panics(t, func() { optim.NewScaler(lbfgs{}) })
}

// TestScaled: with a scaler, who differentiates a loss scales it, so that steps are those without a scaler; clipping
// comes after unscaling.
func TestScaled(t *testing.T) {
	ctx := context.Background()
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		p := tensor.Of([]float32{3, 4}).To(dev).RequiresGrad()
		params := []*tensor.Tensor{p}
		loss := func() *tensor.Tensor { return p.Mul(p).Sum().MulScalar(0.5) } // its gradient is p
		s := optim.NewScaler(&optim.SGD{LR: 0.5})
		require.NoError(t, optim.Minimize(ctx, s, params, loss()))
		require.Equal(t, []float32{1.5, 2}, p.Float32s())
		grads := s.Unscale(tensor.Grad([]*tensor.Tensor{s.Scaled(loss())}, params, nil))
		require.ErrorContains(t, tensor.Try(func() { s.Unscale(grads) }), "since the last step")
		grads, norm := optim.ClipNorm(grads, 1)
		require.NoError(t, s.Step(ctx, params, grads, norm))
		require.InDelta(t, 2.5, norm.Item(), 1e-6)
		require.InDeltaSlice(t, []float32{1.2, 1.6}, p.Float32s(), 1e-6)
		grads = s.Unscale([]*tensor.Tensor{tensor.Of([]float32{float32(math.Inf(1)), 1}).To(dev)})
		clipped, _ := optim.ClipNorm(grads, 1)
		require.NoError(t, s.Step(ctx, params, clipped))
		require.InDeltaSlice(t, []float32{1.2, 1.6}, p.Float32s(), 1e-6, "a step with an infinite gradient")
		require.Equal(t, []any{1, float64(1 << 15)}, []any{s.Skipped, s.Factor})
		require.NoError(t, optim.Minimize(ctx, s, params, loss()))
		require.InDeltaSlice(t, []float32{0.6, 0.8}, p.Float32s(), 1e-6)
	}
}

// TestScalerBounds: f32 holds the factor, as the factor of PyTorch's GradScaler; a loss that is never finite is an
// error in the end, and factors that are none are refused.
func TestScalerBounds(t *testing.T) {
	ctx := context.Background()
	p := tensor.Of([]float32{1}).RequiresGrad()
	params := []*tensor.Tensor{p}
	s := optim.NewScaler(&optim.SGD{LR: 0})
	s.Factor, s.Interval = 0x1p127, 1
	require.NoError(t, s.Step(ctx, params, []*tensor.Tensor{tensor.Ones(1)}))
	require.Equal(t, []any{0x1p127, 0}, []any{s.Factor, s.Good})
	s.Factor = 0x1p-125
	nan := []*tensor.Tensor{tensor.Of([]float32{float32(math.NaN())})}
	require.NoError(t, s.Step(ctx, params, nan))
	require.ErrorContains(t, s.Step(ctx, params, nan), "the loss itself is not finite")
	for _, factor := range []float64{0, -1, math.Inf(1), math.NaN()} {
		s.Factor = factor
		require.ErrorContains(t, tensor.Try(func() { s.Scaled(p.Sum()) }), "has to be a positive number")
	}
}

func math32IsNaN(list []float32) bool {
	for _, v := range list {
		if v != v {
			return true
		}
	}
	return false
}

func TestAllNil(t *testing.T) {
	p := tensor.Ones(2).RequiresGrad()
	err := tensor.Try(func() {
		_ = (&optim.SGD{LR: 1}).Step(context.Background(), []*tensor.Tensor{p}, []*tensor.Tensor{nil})
	})
	var wrong *tensor.ArgError
	require.ErrorAs(t, err, &wrong)
	err = tensor.Try(func() {
		_ = optim.NewAdam(1).Step(context.Background(), []*tensor.Tensor{p}, []*tensor.Tensor{tensor.Ones(3)})
	})
	require.ErrorAs(t, err, &wrong)
}
