package nn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// TestDropoutTraining: a network with dropout learns on the array, its steps are one
// program that nothing leaves for the host, and outside training nothing is dropped.
func TestDropoutTraining(t *testing.T) {
	dev := acap.Device()
	tensor.Seed(4)
	first, drop, last := nn.NewLinear(3, 64), nn.NewDropout(0.2), nn.NewLinear(64, 1)
	net := nn.Sequential(first, nn.ReLU, drop, last).To(dev)
	x := tensor.Randn(64, 3).To(dev)
	want := x.MatMul(tensor.Of([][]float32{{1}, {-2}, {3}}).To(dev))
	loss := func() *tensor.Tensor {
		d := net.Forward(x).Sub(want)
		return d.Mul(d).Mean()
	}
	params := net.Parameters()
	before, compiled := lazy.For(dev).Metrics(), 0
	var losses []float64
	for step := range 60 {
		l := loss()
		grads := tensor.Grad([]*tensor.Tensor{l}, params, nil)
		losses = append(losses, l.Item())
		tensor.NoGrad(func() {
			for i, p := range params {
				p.SubInPlace(grads[i].MulScalar(0.02))
			}
		})
		if step == 2 {
			compiled = lazy.For(dev).Metrics().CompiledPrograms
		}
	}
	after := lazy.For(dev).Metrics()
	require.Equal(t, compiled, after.CompiledPrograms, "steps are cached")
	require.Equal(t, before.Fallbacks, after.Fallbacks, "nothing runs on the host")
	require.Less(t, losses[59], losses[0]/4)
	nn.Eval(net)
	require.False(t, drop.Training)
	require.Equal(t, net.Forward(x).Float32s(), net.Forward(x).Float32s())
	require.Panics(t, func() { nn.NewDropout(1.5) })
}
