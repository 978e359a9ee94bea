package optim

import (
	"context"

	"github.com/go-acap/acap/tensor"
)

// Lion steps by the sign of a mean of gradients (Chen et al., "Symbolic Discovery of
// Optimization Algorithms", 2023, algorithm 2):
//
//	p ← p − LR · (sign(β₁·m + (1−β₁)·g) + WeightDecay · p)
//	m ← β₂·m + (1−β₂)·g
//
// Make one with [NewLion].
type Lion struct {
	LR           float64 // learning rate; it may change between steps
	Beta1, Beta2 float64
	WeightDecay  float64
	Settings

	history
}

// NewLion returns the optimiser with β₁ = 0.9 and β₂ = 0.99.
func NewLion(rate float64) *Lion { return &Lion{LR: rate, Beta1: 0.9, Beta2: 0.99} }

// Step makes a step by the rule above; see [Optimizer].
func (l *Lion) Step(ctx context.Context, params, grads []*tensor.Tensor, with ...*tensor.Tensor) error {
	_, err := l.guarded(ctx, request{params: params, grads: grads, with: with})
	return err
}

func (l *Lion) guarded(ctx context.Context, q request) (bool, error) {
	checkAll("NewLion", share("Beta1", l.Beta1), share("Beta2", l.Beta2))
	return l.run(ctx, l.next, l.Settings, q)
}

// LoadState goes on from what State returned, and takes the tensors over. A tensor that is nil or belongs to another
// kind of optimiser is an error and changes nothing.
func (l *Lion) LoadState(state map[string]*tensor.Tensor) error {
	return l.load(state, "mean")
}

func (l *Lion) next(t *turn, g *tensor.Tensor) *tensor.Tensor {
	_, rate := t.learning(l.LR)
	m := t.slot("mean", 0)
	d := m.MulScalar(l.Beta1).Add(g.MulScalar(1 - l.Beta1)).Sign()
	t.set("mean", m.MulScalar(l.Beta2).Add(g.MulScalar(1-l.Beta2)))
	return t.p.Sub(t.decayed(d, l.WeightDecay).Mul(rate))
}
