package optim

import (
	"context"

	"github.com/go-acap/acap/tensor"
)

// SGD is gradient descent, p ← p − LR · d, where d is the gradient g plus WeightDecay · p.
// With momentum, d is replaced by b ← Momentum · b + (1 − Dampening) · d, which starts as
// the first d, or by d + Momentum · b with Nesterov, which takes no Dampening.
type SGD struct {
	LR          float64 // learning rate; it may change between steps
	Momentum    float64
	Dampening   float64
	WeightDecay float64
	Nesterov    bool
	Settings

	history
}

// Step makes a step by the rule above; see [Optimizer].
func (s *SGD) Step(ctx context.Context, params, grads []*tensor.Tensor, with ...*tensor.Tensor) error {
	_, err := s.guarded(ctx, request{params: params, grads: grads, with: with})
	return err
}

func (s *SGD) guarded(ctx context.Context, q request) (bool, error) {
	finite("Momentum", s.Momentum).check()
	switch {
	case !s.Nesterov:
	case s.Momentum == 0:
		misuse("Nesterov needs a Momentum, which is 0")
	case s.Dampening != 0:
		misuse("Nesterov has no Dampening, which is %g", s.Dampening)
	}
	return s.run(ctx, s.next, s.Settings, q)
}

// LoadState goes on from what State returned, and takes the tensors over. A tensor that is nil or belongs to another
// kind of optimiser is an error and changes nothing.
func (s *SGD) LoadState(state map[string]*tensor.Tensor) error {
	return s.load(state, "momentum")
}

func (s *SGD) next(t *turn, g *tensor.Tensor) *tensor.Tensor {
	_, rate := t.learning(s.LR)
	g = t.decayed(g, s.WeightDecay)
	if s.Momentum != 0 {
		b := t.slot("momentum", 0)
		// A number, so that the first step is the program of the others.
		share := 1 - s.Dampening
		if t.step() == 1 {
			share = 1
		}
		b = t.set("momentum", b.MulScalar(s.Momentum).Add(g.Mul(t.number("share", share))))
		if s.Nesterov {
			g = g.Add(b.MulScalar(s.Momentum))
		} else {
			g = b
		}
	}
	return t.p.Sub(g.Mul(rate))
}
