package optim

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/dtype"
)

// Optimizer changes parameters by their gradients, grads[i] for params[i]. The
// tensors in with, such as the loss, are computed by the same barrier.
type Optimizer interface {
	Step(ctx context.Context, params, grads []*tensor.Tensor, with ...*tensor.Tensor) error
}

// check panics unless there is one gradient for each parameter.
func check(params, grads []*tensor.Tensor) {
	if len(params) != len(grads) {
		panic(&tensor.ArgError{Op: "optim", Detail: fmt.Sprintf("%d gradients for %d parameters",
			len(grads), len(params))})
	}
}

// barrier computes the updated parameters, the optimiser's state and what else is
// wanted, in memory that earlier steps have left, and makes the parameters
// differentiable again.
func barrier(ctx context.Context, memory *lazy.Recycler, params, grads, state, with []*tensor.Tensor) error {
	var all []lazy.Value
	for i, p := range params {
		if grads[i] != nil {
			all = append(all, p)
		}
	}
	for _, list := range [][]*tensor.Tensor{state, with} {
		for _, t := range list {
			all = append(all, t)
		}
	}
	if err := memory.Sync(ctx, all...); err != nil {
		return err
	}
	for i, p := range params {
		if grads[i] != nil {
			p.RequiresGrad()
		}
	}
	return nil
}

// scalar returns v without dimensions on p's device: f64 where p is f64, else f32.
// Such a tensor does not widen what it is combined with.
func scalar(v float64, p *tensor.Tensor) *tensor.Tensor {
	d := dtype.F32
	if p.DType() == dtype.F64 {
		d = dtype.F64
	}
	return tensor.FullLike(v, d).To(p.Device())
}

// scalars makes a number as a tensor once for each element type of parameters: a
// program then takes it as one input.
func scalars(v float64) func(p *tensor.Tensor) *tensor.Tensor {
	made := map[dtype.DType]*tensor.Tensor{}
	return func(p *tensor.Tensor) *tensor.Tensor {
		if made[p.DType()] == nil {
			made[p.DType()] = scalar(v, p)
		}
		return made[p.DType()]
	}
}
