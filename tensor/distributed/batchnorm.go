package distributed

import (
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// SyncBatchNorm makes the batch norms of a model normalize, in training, by mean and variance of the whole
// batch of all ranks; gradients follow. Each layer then waits for the ranks twice in each direction. Ranks may
// have different numbers of examples.
func SyncBatchNorm(model any, group *Group) {
	nn.Apply(model, func(_ string, module any) {
		if b, ok := module.(*nn.BatchNorm); ok {
			b.Sum = func(t *tensor.Tensor) *tensor.Tensor { return group.AllReduce(t, Sum) }
		}
	})
}
