package optim

import (
	"context"
	"fmt"
	"maps"
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Scaler is an optimiser for losses that are multiplied by a large number, so that the gradients of half types do not
// become zero (Micikevicius et al., "Mixed Precision Training", 2018). A step in which a gradient is infinite or NaN
// changes no parameter and halves the factor; it doubles after Interval steps without one, as far as an f32 holds it.
// [Minimize] scales the loss by itself; where gradients are clipped, they are unscaled before:
//
//	grads := s.Unscale(tensor.Grad([]*tensor.Tensor{s.Scaled(loss)}, params, nil))
//	grads, _ = optim.ClipNorm(grads, 1)
//	err := s.Step(ctx, params, grads, loss)
type Scaler struct {
	Factor   float64
	Interval int // 0: the factor does not grow
	Good     int // steps since the factor has changed
	Skipped  int // steps that changed no parameter

	opt    guarded
	finite *tensor.Tensor // of the gradients that Unscale has returned since the last step
}

// guarded are the optimisers of this package.
type guarded interface {
	Optimizer
	State() map[string]*tensor.Tensor
	LoadState(state map[string]*tensor.Tensor) error
	guarded(ctx context.Context, q request) (bool, error)
}

// NewScaler returns a scaler with a factor of 65536 that may double every 2000 steps, over
// an optimiser of this package. Another optimiser panics with a [*tensor.ArgError].
func NewScaler(opt Optimizer) *Scaler {
	g, ok := opt.(guarded)
	if !ok {
		trace.Raise(&tensor.ArgError{Op: "scaler", Detail: "takes an optimiser of package optim that makes steps by gradients"})
	}
	return &Scaler{Factor: 1 << 16, Interval: 2000, opt: g}
}

// Scaling is an optimiser that takes gradients of a scaled loss.
type Scaling interface {
	Optimizer
	// Scaled returns what is differentiated in the place of a loss.
	Scaled(loss *tensor.Tensor) *tensor.Tensor
}

// Skipping is an optimiser that leaves steps out whose gradients are not finite.
type Skipping interface {
	Optimizer
	// Skips returns how many steps have been left out.
	Skips() int
}

// Skips returns how many steps an optimiser has left out: none, unless it is [Skipping].
func Skips(opt Optimizer) int {
	if s, ok := opt.(Skipping); ok {
		return s.Skips()
	}
	return 0
}

// Skips implements [Skipping]: it returns Skipped.
func (s *Scaler) Skips() int { return s.Skipped }

// Scaled returns what is differentiated in the place of a loss: the loss, unless the optimiser is [Scaling].
func Scaled(opt Optimizer, loss *tensor.Tensor) *tensor.Tensor {
	if s, ok := opt.(Scaling); ok {
		return s.Scaled(loss)
	}
	return loss
}

// Scaled implements [Scaling]: it returns the loss times the factor.
func (s *Scaler) Scaled(loss *tensor.Tensor) *tensor.Tensor {
	return loss.Mul(scalar(s.factor(), loss))
}

// factor returns the factor. It panics if the factor would change the signs of gradients or lose them.
func (s *Scaler) factor() float64 {
	if !(s.Factor > 0 && s.Factor <= math.MaxFloat32) {
		trace.Raise(&tensor.ArgError{Op: "scaler", Detail: fmt.Sprintf("the Factor is %g, and has to be a positive number that f32 holds", s.Factor)})
	}
	return s.Factor
}

// Gather implements [Gathering]: it is Unscale.
func (s *Scaler) Gather(_, grads []*tensor.Tensor) ([]*tensor.Tensor, error) {
	return s.Unscale(grads), nil
}

// Unscale returns the gradients of the loss, to be clipped or looked at, from the gradients of the scaled loss. The
// next step takes gradients that are unscaled, and changes nothing if one of these is infinite or NaN. A second call
// without a step between panics with a [*tensor.ArgError].
func (s *Scaler) Unscale(grads []*tensor.Tensor) []*tensor.Tensor {
	if s.finite != nil {
		trace.Raise(&tensor.ArgError{Op: "unscale", Detail: "gradients have been unscaled since the last step"})
	}
	grads, s.finite = s.unscaled(grads)
	return grads
}

// unscaled returns the gradients of the loss and whether all of them are finite, nil if there are none.
func (s *Scaler) unscaled(grads []*tensor.Tensor) ([]*tensor.Tensor, *tensor.Tensor) {
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
			unscaled[i] = g.Mul(scalar(1/s.factor(), g))
			all := unscaled[i].Isfinite().All()
			if finite != nil {
				all = finite.LogicalAnd(all.To(finite.Device()))
			}
			finite = all
		}
	})
	return unscaled, finite
}

// Step implements [Optimizer]; grads are the gradients of the scaled loss, or the gradients that [Scaler.Unscale]
// returned. It is an error if the factor has become so small that f32 holds no half of it: the gradients are not finite
// whatever the factor is.
func (s *Scaler) Step(ctx context.Context, params, grads []*tensor.Tensor, with ...*tensor.Tensor) error {
	finite := s.finite
	if finite == nil {
		grads, finite = s.unscaled(grads)
	}
	done, err := s.opt.guarded(ctx, request{params, grads, with, finite})
	if err != nil {
		return err
	}
	s.finite = nil
	if !done {
		s.Skipped++
		if s.Factor/2 < minFactor {
			return fmt.Errorf("optim: gradients are infinite or NaN with a factor of %g: the loss itself is not finite, not its scale (lazy.StopAtNaN names the call)", s.Factor)
		}
		s.Factor, s.Good = s.Factor/2, 0
		return nil
	}
	if s.Good++; s.Good == s.Interval {
		s.Good = 0
		if s.Factor*2 <= math.MaxFloat32 {
			s.Factor *= 2
		}
	}
	return nil
}

// minFactor is the smallest factor whose reciprocal f32 holds.
const minFactor = 0x1p-126

// State returns what a later run needs to go on, for checkpoints: the optimiser's state, and "scaler".
func (s *Scaler) State() map[string]*tensor.Tensor {
	state := s.opt.State()
	state["scaler"] = tensor.Of([]float64{s.Factor, float64(s.Good), float64(s.Skipped)})
	return state
}

// LoadState goes on from what State returned. It takes the tensors over. A state without the scaler's numbers is an
// error, and so is one that the optimiser does not take; the scaler then stays as it is.
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
