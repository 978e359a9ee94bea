package optim

import (
	"context"
	"math"

	"github.com/go-acap/acap/tensor"
)

// LAMB is [Adam] whose step for each parameter is as long as the parameter itself, times
// the learning rate, so that very large batches train (You et al., "Large Batch
// Optimization for Deep Learning", 2020, algorithm 2). With Adam's means m and v, unbiased:
//
//	r ← m / (√v + ε) + WeightDecay · p
//	p ← p − LR · |p|/|r| · r
//
// The factor |p|/|r| of Euclidean norms is 1 where one of them is 0. Make one with [NewLAMB].
type LAMB struct {
	LR          float64 // learning rate; it may change between steps
	Beta1       float64 // decay of the mean of gradients
	Beta2       float64 // decay of the mean of their squares
	Epsilon     float64
	WeightDecay float64
	Settings

	history
}

// NewLAMB returns the optimiser with β₁ = 0.9, β₂ = 0.999 and ε = 1e-6.
func NewLAMB(rate, decay float64) *LAMB {
	return &LAMB{LR: rate, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-6, WeightDecay: decay}
}

// Step makes a step by the rule above; see [Optimizer].
func (l *LAMB) Step(ctx context.Context, params, grads []*tensor.Tensor, with ...*tensor.Tensor) error {
	_, err := l.guarded(ctx, request{params: params, grads: grads, with: with})
	return err
}

func (l *LAMB) guarded(ctx context.Context, q request) (bool, error) {
	checkAll("NewLAMB", share("Beta1", l.Beta1), share("Beta2", l.Beta2), finite("Epsilon", l.Epsilon))
	return l.run(ctx, l.next, l.Settings, q)
}

// LoadState goes on from what State returned, and takes the tensors over. A tensor that is nil or belongs to another
// kind of optimiser is an error and changes nothing.
func (l *LAMB) LoadState(state map[string]*tensor.Tensor) error {
	return l.load(state, "mean", "square")
}

func (l *LAMB) next(t *turn, g *tensor.Tensor) *tensor.Tensor {
	_, rate := t.learning(l.LR)
	m := t.set("mean", t.slot("mean", 0).MulScalar(l.Beta1).Add(g.MulScalar(1-l.Beta1)))
	v := t.set("square", t.slot("square", 0).MulScalar(l.Beta2).Add(g.Mul(g).MulScalar(1-l.Beta2)))
	m = m.Mul(t.number("unbias mean", 1/(1-math.Pow(l.Beta1, t.step()))))
	scale := v.Sqrt().Mul(t.number("unbias", 1/math.Sqrt(1-math.Pow(l.Beta2, t.step())))).AddScalar(l.Epsilon)
	r := t.decayed(m.Div(scale), l.WeightDecay)
	length, step := norm(t.p), norm(r)
	ratio := length.Div(step)
	usual := length.GtScalar(0).LogicalAnd(step.GtScalar(0))
	ratio = usual.Where(ratio, ratio.OnesLike())
	return t.p.Sub(r.Mul(ratio).Mul(rate))
}

// norm returns the Euclidean norm of all elements.
func norm(x *tensor.Tensor) *tensor.Tensor { return x.Mul(x).Sum().Sqrt() }
