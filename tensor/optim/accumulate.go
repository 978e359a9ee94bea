package optim

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Accumulator adds up the gradients of several batches, for a step with their mean: a
// large batch in the memory of a small one. The zero value is ready.
type Accumulator struct {
	count int
	sums  []*tensor.Tensor
	h     history
}

// Add computes gradients, the tensors in with, and the sums so far. The error is the error of computing them; another
// number of gradients than before is a panic with a [*tensor.ArgError].
func (a *Accumulator) Add(ctx context.Context, grads []*tensor.Tensor, with ...*tensor.Tensor) error {
	if a.count > 0 && len(grads) != len(a.sums) {
		trace.Raise(&tensor.ArgError{Op: "accumulate", Detail: fmt.Sprintf("%d gradients after %d", len(grads), len(a.sums))})
	}
	next := make([]*tensor.Tensor, len(grads))
	var changes []change
	tensor.NoGrad(func() {
		for i, g := range grads {
			switch {
			case a.count == 0 || a.sums[i] == nil:
				next[i] = g
			case g == nil:
				next[i] = a.sums[i]
				continue
			default:
				next[i] = a.sums[i].Add(g)
				changes = append(changes, change{a.sums[i], next[i]})
				continue
			}
			if g != nil {
				with = append(with, g)
			}
		}
	})
	if err := a.h.barrier(ctx, changes, with); err != nil {
		return err
	}
	a.sums, a.count = next, a.count+1
	return nil
}

// Mean returns the mean of the gradients and starts anew.
func (a *Accumulator) Mean() []*tensor.Tensor {
	mean := make([]*tensor.Tensor, len(a.sums))
	tensor.NoGrad(func() {
		for i, s := range a.sums {
			if s != nil {
				mean[i] = s.MulScalar(1 / float64(a.count))
			}
		}
	})
	a.sums, a.count = nil, 0
	return mean
}
