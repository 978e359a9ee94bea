package optim

import (
	"context"
	"math"

	"github.com/go-acap/acap/tensor"
)

// Adam scales each element's step by running means of its gradient and of the
// gradient's square (Kingma and Ba, "Adam: A Method for Stochastic
// Optimization", 2015, algorithm 1). In step t:
//
//	m ← β₁·m + (1−β₁)·g
//	v ← β₂·v + (1−β₂)·g²
//	p ← p − LR/(1−β₁ᵗ) · m / (√v/√(1−β₂ᵗ) + ε)
//
// WeightDecay · p is added to g, or, if Decoupled is set, LR · WeightDecay · p is taken
// from p before the step (Loshchilov and Hutter, "Decoupled Weight Decay
// Regularization", 2019: AdamW).
//
// Make one with [NewAdam] or [NewAdamW]. An Adam belongs to one list of parameters; the
// means are kept in their order.
type Adam struct {
	LR          float64 // learning rate; it may change between steps
	Beta1       float64 // decay of the mean of gradients
	Beta2       float64 // decay of the mean of their squares
	Epsilon     float64
	WeightDecay float64
	Decoupled   bool
	Settings

	history
}

// NewAdam returns the optimiser with the paper's constants: β₁ = 0.9, β₂ = 0.999,
// ε = 1e-8.
func NewAdam(rate float64) *Adam {
	return &Adam{LR: rate, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}
}

// NewAdamW returns an [Adam] with decoupled weight decay.
func NewAdamW(rate, decay float64) *Adam {
	a := NewAdam(rate)
	a.WeightDecay, a.Decoupled = decay, true
	return a
}

// Step makes a step by the rule above; see [Optimizer].
func (a *Adam) Step(ctx context.Context, params, grads []*tensor.Tensor, with ...*tensor.Tensor) error {
	_, err := a.guarded(ctx, request{params: params, grads: grads, with: with})
	return err
}

func (a *Adam) guarded(ctx context.Context, q request) (bool, error) {
	checkAll("NewAdam", share("Beta1", a.Beta1), share("Beta2", a.Beta2), finite("Epsilon", a.Epsilon))
	return a.run(ctx, a.next, a.Settings, q)
}

// LoadState goes on from what State returned, and takes the tensors over. A tensor that is nil or belongs to another
// kind of optimiser is an error and changes nothing.
func (a *Adam) LoadState(state map[string]*tensor.Tensor) error {
	return a.load(state, "mean", "square")
}

func (a *Adam) next(t *turn, g *tensor.Tensor) *tensor.Tensor {
	base, _ := t.learning(a.LR)
	p := t.p
	if a.Decoupled {
		p = p.Mul(t.number("decay", 1-base*t.decay(a.WeightDecay)))
	} else {
		g = t.decayed(g, a.WeightDecay)
	}
	m := t.set("mean", t.slot("mean", 0).MulScalar(a.Beta1).Add(g.MulScalar(1-a.Beta1)))
	v := t.set("square", t.slot("square", 0).MulScalar(a.Beta2).Add(g.Mul(g).MulScalar(1-a.Beta2)))
	unbias := t.number("unbias", 1/math.Sqrt(1-math.Pow(a.Beta2, t.step())))
	first := t.number("first", base/(1-math.Pow(a.Beta1, t.step())))
	scale := v.Sqrt().Mul(unbias).AddScalar(a.Epsilon)
	return p.Sub(m.Div(scale).Mul(first))
}
