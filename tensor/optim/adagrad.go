package optim

import (
	"context"

	"github.com/go-acap/acap/tensor"
)

// Adagrad divides each element's step by the root of the sum of its gradient's squares
// (Duchi, Hazan and Singer, "Adaptive Subgradient Methods", 2011). In step t:
//
//	s ← s + g²
//	p ← p − LR/(1+(t−1)·Decay) · g / (√s + ε)
//
// where WeightDecay · p is added to g, and s starts as Start. Make one with [NewAdagrad].
type Adagrad struct {
	LR          float64 // learning rate; it may change between steps
	Decay       float64 // of the learning rate
	Start       float64
	Epsilon     float64
	WeightDecay float64
	Settings

	history
}

// NewAdagrad returns the optimiser with ε = 1e-10.
func NewAdagrad(rate float64) *Adagrad { return &Adagrad{LR: rate, Epsilon: 1e-10} }

// Step makes a step by the rule above; see [Optimizer].
func (a *Adagrad) Step(ctx context.Context, params, grads []*tensor.Tensor, with ...*tensor.Tensor) error {
	_, err := a.guarded(ctx, request{params: params, grads: grads, with: with})
	return err
}

func (a *Adagrad) guarded(ctx context.Context, q request) (bool, error) {
	for _, c := range []constant{finite("Decay", a.Decay), finite("Start", a.Start), finite("Epsilon", a.Epsilon)} {
		c.check()
	}
	return a.run(ctx, a.next, a.Settings, q)
}

// LoadState goes on from what State returned, and takes the tensors over. A tensor that is nil or belongs to another
// kind of optimiser is an error and changes nothing.
func (a *Adagrad) LoadState(state map[string]*tensor.Tensor) error {
	return a.load(state, "sum")
}

func (a *Adagrad) next(t *turn, g *tensor.Tensor) *tensor.Tensor {
	base, _ := t.learning(a.LR)
	g = t.decayed(g, a.WeightDecay)
	s := t.set("sum", t.slot("sum", a.Start).Add(g.Mul(g)))
	rate := t.number("slowing", base/(1+(t.step()-1)*a.Decay))
	return t.p.Sub(g.Div(s.Sqrt().AddScalar(a.Epsilon)).Mul(rate))
}
