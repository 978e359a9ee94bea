package optim

import (
	"context"

	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// SGD is gradient descent without momentum: p ← p − LR · g.
type SGD struct {
	LR float64 // learning rate; it may change between steps

	memory lazy.Recycler
}

// Step implements [Optimizer].
func (s *SGD) Step(ctx context.Context, params, grads []*tensor.Tensor,
	with ...*tensor.Tensor) error {
	check(params, grads)
	rate := scalars(s.LR)
	tensor.NoGrad(func() {
		for i, p := range params {
			if grads[i] != nil {
				s.memory.Replace(p)
				p.SubInPlace(grads[i].Mul(rate(p)))
			}
		}
	})
	return barrier(ctx, &s.memory, params, grads, nil, with)
}
