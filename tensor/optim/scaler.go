package optim

import (
	"context"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/dtype"
)

// Scaler is an optimiser for losses that are multiplied by a large number, so that the
// gradients of half types do not become zero (Micikevicius et al., "Mixed Precision
// Training", 2018). A step in which a gradient is infinite or NaN changes no parameter and
// halves the factor; it doubles after Interval steps without one.
//
//	grads := tensor.Grad([]*tensor.Tensor{s.Scaled(loss)}, params, nil)
//	err := s.Step(ctx, params, grads, loss)
type Scaler struct {
	Factor   float64
	Interval int
	Good     int // steps since the factor has changed
	Skipped  int // steps that changed no parameter

	opt guarded
}

// guarded are the optimisers of this package.
type guarded interface {
	Optimizer
	guarded(ctx context.Context, params, grads []*tensor.Tensor, ok *tensor.Tensor,
		with []*tensor.Tensor) (bool, error)
}

// NewScaler returns a scaler with a factor of 65536 that may double every 2000 steps, over
// an optimiser of this package.
func NewScaler(opt Optimizer) *Scaler {
	g, ok := opt.(guarded)
	if !ok {
		panic(&tensor.ArgError{Op: "scaler", Detail: "takes an optimiser of package optim that makes steps by gradients"})
	}
	return &Scaler{Factor: 1 << 16, Interval: 2000, opt: g}
}

// Scaled returns the loss times the factor.
func (s *Scaler) Scaled(loss *tensor.Tensor) *tensor.Tensor {
	return loss.Mul(scalar(s.Factor, loss))
}

// Step implements [Optimizer]; grads are those of the scaled loss.
func (s *Scaler) Step(ctx context.Context, params, grads []*tensor.Tensor, with ...*tensor.Tensor) error {
	unscaled := make([]*tensor.Tensor, len(grads))
	var finite *tensor.Tensor
	tensor.NoGrad(func() {
		for i, g := range grads {
			if g == nil {
				continue
			}
			if g.DType() != dtype.F64 {
				g = tensor.Call("_to_copy", g, tensor.With("dtype", dtype.F32))[0]
			}
			unscaled[i] = g.Mul(scalar(1/s.Factor, g))
			all := unscaled[i].Isfinite().All()
			if finite != nil {
				all = finite.LogicalAnd(all.To(finite.Device()))
			}
			finite = all
		}
	})
	done, err := s.opt.guarded(ctx, params, unscaled, finite, with)
	if err != nil {
		return err
	}
	if !done {
		s.Factor, s.Good = s.Factor/2, 0
		s.Skipped++
		return nil
	}
	if s.Good++; s.Good == s.Interval {
		s.Factor, s.Good = s.Factor*2, 0
	}
	return nil
}
