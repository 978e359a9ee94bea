package optim_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/lazytest"
	"github.com/go-acap/acap/tensor"
)

// loop trains two layers for some steps: the learning rate is a Go number that falls, there is
// dropout, every tenth loss is printed, and every eighth batch has last rows instead of 8. The
// batches are prepared by batch.
func loop(t *testing.T, dev *acap.Array, steps, last int, batch func(x *tensor.Tensor) *tensor.Tensor) []float64 {
	t.Helper()
	ctx := context.Background()
	tensor.SetRandomState(dev, 1, 0)
	parameter := func(dims ...int) *tensor.Tensor {
		n := dims[0] * dims[1]
		data := make([]float32, n)
		for i := range data {
			data[i] = float32(math.Sin(float64(5*i))) / 2
		}
		return tensor.FromSlice(data, dims...).To(dev).RequiresGrad()
	}
	w, v := parameter(4, 16), parameter(16, 1)
	var losses []float64
	for step := range steps {
		rows := 8
		if step%8 == 7 {
			rows = last
		}
		x, y := make([]float32, 4*rows), make([]float32, rows)
		for i := range rows {
			for k := range 4 {
				x[4*i+k] = float32(math.Cos(float64(step + 3*i + 7*k)))
				y[i] += x[4*i+k]
			}
		}
		xs := batch(tensor.FromSlice(x, rows, 4).To(dev))
		ys := batch(tensor.FromSlice(y, rows, 1).To(dev))
		rate := 0.05 / (1 + 0.01*float64(step))

		d := xs.MatMul(w).ReLU().Dropout(0.1, true).MatMul(v).Sub(ys)
		loss := d.Mul(d).Mean()
		grads := tensor.Grad([]*tensor.Tensor{loss}, []*tensor.Tensor{w, v}, nil)
		tensor.NoGrad(func() {
			w.SubInPlace(grads[0].MulScalar(rate))
			v.SubInPlace(grads[1].MulScalar(rate))
		})
		require.NoError(t, lazy.Sync(ctx, loss, w, v))
		if step%10 == 0 {
			fmt.Fprintln(io.Discard, loss)
			losses = append(losses, loss.Item())
		}
	}
	return losses
}

func fresh(t *testing.T) *acap.Array {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	dev := acap.New(m)
	lazy.For(dev).Clear()
	return dev
}

// A loop whose learning rate falls compiles twice, with a last batch of another size three times, and with
// a bucket twice again; and it learns the same.
func TestLoopCompiles(t *testing.T) {
	const steps = 1000
	exact := func(x *tensor.Tensor) *tensor.Tensor { return x }
	dev := fresh(t)
	lazytest.Compiles(t, dev, 2, func() {
		losses := loop(t, dev, steps, 8, exact)
		require.Less(t, losses[len(losses)-1], losses[0]/4)
	})
	var want, got []float64
	dev = fresh(t)
	lazytest.Compiles(t, dev, 3, func() { want = loop(t, dev, steps, 5, exact) })
	dev = fresh(t)
	lazytest.Compiles(t, dev, 2, func() {
		got = loop(t, dev, steps, 5, func(x *tensor.Tensor) *tensor.Tensor { return x.Dynamic(0, 8) })
	})
	require.InDeltaSlice(t, want, got, 1e-3)
	m := lazy.For(dev).Metrics()
	require.Equal(t, int64(steps/8*3*5), m.Counters["PaddingElements"])
}
