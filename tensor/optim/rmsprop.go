package optim

import (
	"context"

	"github.com/go-acap/acap/tensor"
)

// RMSprop divides each element's step by the root of a running mean of its gradient's
// square (Tieleman and Hinton, 2012):
//
//	v ← α·v + (1−α)·g²
//	p ← p − LR · g / (√v + ε)
//
// where WeightDecay · p is added to g. If Centered is set, the square of a running mean
// of g is taken from v (Graves, "Generating Sequences With Recurrent Neural Networks",
// 2013). With momentum, b ← Momentum·b + g/(√v + ε) takes the place of the quotient. Make
// one with [NewRMSprop].
type RMSprop struct {
	LR          float64 // learning rate; it may change between steps
	Alpha       float64 // decay of the mean of squares
	Epsilon     float64
	WeightDecay float64
	Momentum    float64
	Centered    bool
	Settings

	history
}

// NewRMSprop returns the optimiser with α = 0.99 and ε = 1e-8.
func NewRMSprop(rate float64) *RMSprop { return &RMSprop{LR: rate, Alpha: 0.99, Epsilon: 1e-8} }

// Step makes a step by the rule above; see [Optimizer].
func (r *RMSprop) Step(ctx context.Context, params, grads []*tensor.Tensor, with ...*tensor.Tensor) error {
	_, err := r.guarded(ctx, request{params: params, grads: grads, with: with})
	return err
}

func (r *RMSprop) guarded(ctx context.Context, q request) (bool, error) {
	checkAll("NewRMSprop", finite("Alpha", r.Alpha), finite("Epsilon", r.Epsilon))
	finite("Momentum", r.Momentum).check()
	return r.run(ctx, r.next, r.Settings, q)
}

// LoadState goes on from what State returned, and takes the tensors over. A tensor that is nil or belongs to another
// kind of optimiser is an error and changes nothing.
func (r *RMSprop) LoadState(state map[string]*tensor.Tensor) error {
	return r.load(state, "square", "mean", "momentum")
}

func (r *RMSprop) next(t *turn, g *tensor.Tensor) *tensor.Tensor {
	_, rate := t.learning(r.LR)
	g = t.decayed(g, r.WeightDecay)
	v := t.set("square", t.slot("square", 0).MulScalar(r.Alpha).Add(g.Mul(g).MulScalar(1-r.Alpha)))
	if r.Centered {
		m := t.set("mean", t.slot("mean", 0).MulScalar(r.Alpha).Add(g.MulScalar(1-r.Alpha)))
		v = v.Sub(m.Mul(m))
	}
	d := g.Div(v.Sqrt().AddScalar(r.Epsilon))
	if r.Momentum != 0 {
		d = t.set("momentum", t.slot("momentum", 0).MulScalar(r.Momentum).Add(d))
	}
	return t.p.Sub(d.Mul(rate))
}
