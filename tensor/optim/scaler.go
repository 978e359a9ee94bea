package optim

import (
	"context"
	"maps"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
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
	State() map[string]*tensor.Tensor
	LoadState(state map[string]*tensor.Tensor) error
	guarded(ctx context.Context, params, grads []*tensor.Tensor, ok *tensor.Tensor,
		with []*tensor.Tensor) (bool, error)
}

// NewScaler returns a scaler with a factor of 65536 that may double every 2000 steps, over
// an optimiser of this package.
func NewScaler(opt Optimizer) *Scaler {
	g, ok := opt.(guarded)
	if !ok {
		trace.Raise(&tensor.ArgError{Op: "scaler", Detail: "takes an optimiser of package optim that makes steps by gradients"})
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
				g = tensor.Call("_to_copy", g, tensor.DType(dtype.F32))[0]
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

// State returns what a later run needs to go on, for checkpoints: that of the optimiser,
// and "scaler".
func (s *Scaler) State() map[string]*tensor.Tensor {
	state := s.opt.State()
	state["scaler"] = tensor.Of([]float64{s.Factor, float64(s.Good), float64(s.Skipped)})
	return state
}

// LoadState goes on from what State returned. It takes the tensors over.
func (s *Scaler) LoadState(state map[string]*tensor.Tensor) error {
	v, err := numbers(state, "scaler", 3)
	if err != nil {
		return err
	}
	own := maps.Clone(state)
	delete(own, "scaler")
	if err := s.opt.LoadState(own); err != nil {
		return err
	}
	s.Factor, s.Good, s.Skipped = v[0], int(v[1]), int(v[2])
	return nil
}
