package nn_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data/digits"
	"github.com/go-acap/acap/tensor/nn"
)

func small() *nn.Sequence {
	return nn.Sequential(nn.NewConv2d(1, 4, 3).With(1, 1), nn.NewBatchNorm2d(4), nn.ReLU,
		nn.MaxPool2d(2, 2, 0), nn.Flatten, nn.NewLinear(4*3*3, 5), nn.NewLayerNorm(5))
}

func TestSameOnEveryDevice(t *testing.T) {
	net := small()
	x := tensor.Randn(2, 1, 6, 6)
	want := net.Forward(x).Float32s()
	dev := acap.Device()
	y := net.To(dev).Forward(x.To(dev))
	require.Equal(t, device.Device(dev), y.Device())
	require.Equal(t, []int{2, 5}, y.Shape())
	require.InDeltaSlice(t, want, y.Float32s(), 1e-5)
}

// A training step lowers the loss, and its second program is the first again.
func TestTraining(t *testing.T) {
	dev := acap.Device()
	l := nn.NewLinear(3, 1)
	nn.To(l, dev)
	x := tensor.Randn(16, 3).To(dev)
	want := x.MatMul(tensor.Of([][]float32{{1}, {-2}, {3}}).To(dev))
	var losses []float64
	compiled := 0
	for step := range 30 {
		d := l.Forward(x).Sub(want)
		loss := d.Mul(d).Mean()
		grads := tensor.Grad([]*tensor.Tensor{loss}, nn.Parameters(l), nil)
		losses = append(losses, loss.Item())
		tensor.NoGrad(func() {
			l.Weight.SubInPlace(grads[0].MulScalar(0.1))
			l.Bias.SubInPlace(grads[1].MulScalar(0.1))
		})
		if step == 2 {
			compiled = lazy.For(dev).Metrics().CompiledPrograms
		}
	}
	require.Less(t, losses[29], losses[0]/50)
	require.Equal(t, compiled, lazy.For(dev).Metrics().CompiledPrograms, "steps are cached")
}

func TestTorchScript(t *testing.T) {
	file := digits.Model()
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		m, err := nn.ReadTorchScript(bytes.NewReader(file), int64(len(file)), "digits.pt", dev)
		require.NoError(t, err)
		y, err := m.Forward(tensor.Zeros(3, 1, 28, 28).To(dev))
		require.NoError(t, err)
		require.Equal(t, []int{3, 10}, y[0].Shape())
		_, err = m.Forward(tensor.Zeros(3, 2, 28, 28).To(dev))
		require.ErrorContains(t, err, "code/__torch__")
	}
	_, err := nn.LoadTorchScript("missing.pt", host.Device())
	require.Error(t, err)
}

func ExampleSequential() {
	net := nn.Sequential(nn.NewLinear(784, 128), nn.ReLU, nn.NewLinear(128, 10)).To(acap.Device())
	y := net.Forward(tensor.Zeros(32, 784).To(acap.Device()))
	fmt.Println(y.Shape(), len(net.Parameters()))
	// Output: [32 10] 4
}
