package nn_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
)

// Two goroutines that train at once, each with a NoGrad of its own around a look at
// the model, get what each gets alone.
func TestConcurrentTraining(t *testing.T) {
	dev := acap.Device()
	train := func(l *nn.Linear, x, want *tensor.Tensor) []float64 {
		params := nn.Parameters(l)
		var losses []float64
		for range 20 {
			d := l.Forward(x).Sub(want)
			loss := d.Mul(d).Mean()
			grads := tensor.Grad([]*tensor.Tensor{loss}, params, nil)
			err := (&optim.SGD{LR: 0.1}).Step(context.Background(), params, grads, loss)
			if err != nil {
				panic(err)
			}
			losses = append(losses, loss.Item())
			tensor.NoGrad(func() {
				if l.Forward(x).NeedsGrad() {
					panic("a gradient in NoGrad")
				}
			})
		}
		return losses
	}
	start := func() func() []float64 {
		tensor.Seed(3)
		l := nn.NewLinear(3, 1)
		nn.To(l, dev)
		x := tensor.Randn(16, 3).To(dev)
		want := x.MatMul(tensor.Of([][]float32{{1}, {-2}, {3}}).To(dev))
		return func() []float64 { return train(l, x, want) }
	}
	alone := start()()
	runs := make([]func() []float64, 4)
	for i := range runs {
		runs[i] = start()
	}
	together := make([][]float64, len(runs))
	var wg sync.WaitGroup
	for i, run := range runs {
		wg.Go(func() { together[i] = run() })
	}
	wg.Wait()
	for _, losses := range together {
		require.Equal(t, alone, losses)
	}
}
