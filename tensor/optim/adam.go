package optim

import (
	"context"
	"math"

	"github.com/go-acap/acap/lazy"
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
// Make one with [NewAdam]. An Adam belongs to one list of parameters; the means
// are kept in their order.
type Adam struct {
	LR      float64 // learning rate; it may change between steps
	Beta1   float64 // decay of the mean of gradients
	Beta2   float64 // decay of the mean of their squares
	Epsilon float64

	steps     int
	mean, sqr []*tensor.Tensor
	memory    lazy.Recycler
}

// NewAdam returns the optimiser with the paper's constants: β₁ = 0.9, β₂ = 0.999,
// ε = 1e-8.
func NewAdam(rate float64) *Adam {
	return &Adam{LR: rate, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}
}

// Step implements [Optimizer].
func (a *Adam) Step(ctx context.Context, params, grads []*tensor.Tensor,
	with ...*tensor.Tensor) error {
	check(params, grads)
	if a.mean == nil {
		for _, p := range params {
			a.mean = append(a.mean, zeros(p))
			a.sqr = append(a.sqr, zeros(p))
		}
	}
	if len(params) != len(a.mean) {
		panic(&tensor.ArgError{Op: "optim", Detail: "the parameters are not those of the first step"})
	}
	a.steps++
	t := float64(a.steps)
	rate := scalars(a.LR / (1 - math.Pow(a.Beta1, t)))
	unbias := scalars(1 / math.Sqrt(1-math.Pow(a.Beta2, t)))
	var state []*tensor.Tensor
	tensor.NoGrad(func() {
		for i, p := range params {
			g, m, v := grads[i], a.mean[i], a.sqr[i]
			if g == nil {
				continue
			}
			a.memory.Replace(p, m, v)
			m.MulScalarInPlace(a.Beta1).AddInPlace(g.MulScalar(1 - a.Beta1))
			v.MulScalarInPlace(a.Beta2).AddInPlace(g.Mul(g).MulScalar(1 - a.Beta2))
			scale := v.Sqrt().Mul(unbias(p)).AddScalar(a.Epsilon)
			p.SubInPlace(m.Div(scale).Mul(rate(p)))
			state = append(state, m, v)
		}
	})
	return barrier(ctx, &a.memory, params, grads, state, with)
}

// zeros returns a tensor of p's shape, element type and device.
func zeros(p *tensor.Tensor) *tensor.Tensor {
	return tensor.FullLike(0, p.DType(), p.Shape()...).To(p.Device())
}
