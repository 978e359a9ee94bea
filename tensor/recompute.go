package tensor

import (
	"context"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Recompute returns what f returns, as a part of a model that keeps none of its values for gradients: the backward pass
// computes them again, from the tensors that f takes from outside. Recomputing costs a second forward pass of f. A deep
// model then needs memory for the results of its parts and for the values of one part (Chen, Xu, Zhang and Guestrin,
// "Training Deep Nets with Sublinear Memory Cost", 2016; PyTorch's torch.utils.checkpoint).
//
//	for _, block := range blocks {
//		h = tensor.Recompute(func() *tensor.Tensor { return block.Forward(h) })
//	}
//
// Values and gradients are those without Recompute, but for the rounding of sums that other kernels add in another
// order: f is called once, and it is the recorded calls that run twice. So random numbers are drawn once, and running
// statistics move on once. Parts may have parts of their own. Tensors that Go code keeps are kept: tensors that a
// backward function of [WithGradient] refers to, and values that f reads. On an eager device f is recorded and runs as
// one program. A function that is nil or returns nil panics with an [*ArgError].
func Recompute(f func() *Tensor) *Tensor {
	trace.Need("recompute", "the function", f)
	var y *Tensor
	trace.Recompute(func() { y = f() })
	if y == nil {
		raise(&ArgError{Op: "recompute", Detail: "the function returns no tensor"})
	}
	if err := y.runtime.Settle(context.Background(), []ops.Value{y.value()}); err != nil {
		raise(err)
	}
	return y
}
