package optim_test

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/optim"
)

// One step on loss = w², whose gradient is 2w.
func ExampleSGD() {
	w := tensor.Scalar(3.0).To(acap.Device()).RequiresGrad()
	loss := w.Mul(w)
	params := []*tensor.Tensor{w}
	grads := tensor.Grad([]*tensor.Tensor{loss}, params, nil)
	opt := &optim.SGD{LR: 0.25}
	if err := opt.Step(context.Background(), params, grads, loss); err != nil {
		fmt.Println(err)
	}
	fmt.Println(loss.Item(), w.Item())
	// Output: 9 1.5
}

// Adam's first step is the learning rate, against the sign of the gradient.
func ExampleNewAdam() {
	w := tensor.Of([]float32{3, -200}).To(acap.Device()).RequiresGrad()
	params := []*tensor.Tensor{w}
	grads := tensor.Grad([]*tensor.Tensor{w.Mul(w).Sum()}, params, nil)
	if err := optim.NewAdam(0.5).Step(context.Background(), params, grads); err != nil {
		fmt.Println(err)
	}
	fmt.Println(w.Float32s())
	// Output: [2.5 -199.5]
}
