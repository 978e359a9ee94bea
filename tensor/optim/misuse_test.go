package optim_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/optim"
)

// TestNil: what is nil is named, with the line.
func TestNil(t *testing.T) {
	p := tensor.Ones(1).RequiresGrad()
	for want, f := range map[string]func(){
		"lbfgs: the evaluation is nil":   func() { _, _ = optim.NewLBFGS(1).Step(context.Background(), []*tensor.Tensor{p}, nil) },
		"minimize: the optimiser is nil": func() { _ = optim.Minimize(context.Background(), nil, []*tensor.Tensor{p}, p.Sum()) },
	} {
		require.Regexp(t, `^misuse_test.go:\d+: `+want+"$", tensor.Try(f).Error())
	}
}

// TestConstants: an optimiser refuses numbers that PyTorch refuses, and a literal whose numbers belong to no optimiser.
func TestConstants(t *testing.T) {
	p := tensor.Ones(1).RequiresGrad()
	infinite, nan := math.Inf(1), math.NaN()
	for want, opt := range map[string]optim.Optimizer{
		"the learning rate is -1, and has to be 0 or more and finite":                &optim.SGD{LR: -1},
		"the learning rate is NaN, and":                                              &optim.SGD{LR: nan},
		`the learning rate is \+Inf, and`:                                            optim.NewAdagrad(infinite),
		"the learning rate times the schedule is -0.1, and":                          &optim.SGD{LR: 0.1, Settings: optim.Settings{Schedule: func(int) float64 { return -1 }}},
		"the weight decay is -3, and":                                                optim.NewAdamW(0.1, -3),
		"the weight decay is NaN, and":                                               &optim.SGD{LR: 0.1, Settings: optim.Settings{Groups: []optim.Group{{Parameters: []*tensor.Tensor{p}, WeightDecay: nan}}}},
		"Momentum is -1, and has":                                                    &optim.SGD{LR: 0.1, Momentum: -1},
		"Nesterov needs a Momentum, which is 0":                                      &optim.SGD{LR: 0.1, Nesterov: true},
		"Nesterov has no Dampening, which is 0.1":                                    &optim.SGD{LR: 0.1, Momentum: 0.9, Dampening: 0.1, Nesterov: true},
		"Beta1 is 1, and has to be 0 or more and less than 1":                        &optim.Adam{LR: 0.1, Beta1: 1, Beta2: 0.9},
		"Beta2 is 2, and has to be 0 or more and less than 1":                        &optim.Lion{LR: 0.1, Beta2: 2},
		"Epsilon is -1, and has to be 0 or more and finite":                          &optim.LAMB{LR: 0.1, Epsilon: -1},
		"Alpha is NaN, and":                                                          &optim.RMSprop{LR: 0.1, Alpha: nan},
		"Start is -1, and":                                                           &optim.Adagrad{LR: 0.1, Start: -1},
		"Beta1 and the other constants are 0: NewAdam gives those that are usual":    &optim.Adam{LR: 0.1},
		"Beta1 and the other constants are 0: NewLion gives those that are usual":    &optim.Lion{LR: 0.1},
		"Alpha and the other constants are 0: NewRMSprop gives those that are usual": &optim.RMSprop{LR: 0.1},
		"Beta1 and the other constants are 0: NewLAMB gives those that are usual":    &optim.LAMB{LR: 0.1},
	} {
		err := tensor.Try(func() { _ = optim.Minimize(context.Background(), opt, []*tensor.Tensor{p}, p.Mul(p).Sum()) })
		require.Error(t, err, want)
		require.Regexp(t, `^misuse_test.go:\d+: optim: `+want, err.Error())
		require.Equal(t, 1.0, p.Item(), want)
	}
	evaluate := func() *tensor.Tensor { return p.Mul(p).Sum() }
	for want, opt := range map[string]*optim.LBFGS{"0 iterations, 0 evaluations and a memory of 0": {LR: 1}, "the learning rate is -1": optim.NewLBFGS(-1)} {
		err := tensor.Try(func() { _, _ = opt.Step(context.Background(), []*tensor.Tensor{p}, evaluate) })
		require.ErrorContains(t, err, want)
	}
	for want, f := range map[string]func(){
		"plateau: a factor of 2 after -1":           func() { optim.NewPlateau(2, -1) },
		"plateau: a factor of 1 after 3":            func() { p := optim.NewPlateau(0.5, 3); p.Factor = 1; p.Observe(0) },
		"plateau: Scale and Best are 0: NewPlateau": func() { (&optim.Plateau{Factor: 0.5}).Schedule(0) },
		"clip_norm: the limit is -1, and":           func() { optim.ClipNorm([]*tensor.Tensor{p}, -1) },
		"clip_value: the limit is NaN, and":         func() { optim.ClipValue([]*tensor.Tensor{p}, nan) },
	} {
		require.Regexp(t, `^misuse_test.go:\d+: `+want, tensor.Try(f).Error())
	}
}

// TestStateOfAnother: an optimiser takes no state of another one.
func TestStateOfAnother(t *testing.T) {
	p := tensor.Ones(1).RequiresGrad()
	adam := optim.NewAdam(0.1)
	require.NoError(t, optim.Minimize(context.Background(), adam, []*tensor.Tensor{p}, p.Mul(p).Sum()))
	err := (&optim.SGD{LR: 1}).LoadState(adam.State())
	require.ErrorContains(t, err, "the state of another optimiser: it has 0.")
	require.ErrorContains(t, err, ", and this one keeps momentum")
	require.Error(t, optim.NewAdagrad(1).LoadState(adam.State()))
	require.NoError(t, optim.NewLAMB(1, 0).LoadState(adam.State()), "which has the same parts")
}
