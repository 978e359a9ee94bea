package distributed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/distributed"
	"github.com/go-acap/acap/tensor/nn"
)

// normed is the results of a step through batch norms.
type normed struct{ output, input, params, running []float32 }

// throughNorms is a forward and a backward pass of a part of a batch. The loss is a sum over examples, so that
// gradients of ranks add up to the gradients of the whole batch.
func throughNorms(g *distributed.Group, dev device.Device, from, n int) (*normed, error) {
	x := tensor.Linspace(1, 9, 12*3*4*4).MulScalar(50).Cos().MulScalar(2).AddScalar(5).Reshape([]int{12, 3, 4, 4}).
		Narrow(0, from, n).To(dev).RequiresGrad()
	target := tensor.Linspace(-2, 2, 12*4*4*4).Mul(tensor.Linspace(-3, 1, 12*4*4*4)).Reshape([]int{12, 4, 4, 4}).
		Narrow(0, from, n).To(dev)
	net := nn.Sequential(nn.NewBatchNorm2d(3), nn.NewConv2d(3, 4, 1), nn.NewBatchNorm2d(4), nn.Tanh).To(dev)
	if g != nil {
		distributed.SyncBatchNorm(net, g)
	}
	params := net.Parameters()
	params[2].Assign(tensor.Linspace(-1, 1, 12).Reshape([]int{4, 3, 1, 1}).To(dev)) // weight and bias of the convolution
	params[3].Assign(tensor.Linspace(0, 1, 4).To(dev))
	o := &normed{}
	for range 2 { // the running statistics move twice
		y := net.Forward(x)
		grads := tensor.Grad([]*tensor.Tensor{y.Mul(target).Sum()}, append(params, x), nil)
		for i := range grads[:len(params)] {
			if g != nil {
				grads[i] = g.AllReduce(grads[i], distributed.Sum)
			}
		}
		if err := tensor.Sync(ctx, append(grads, y)...); err != nil {
			return nil, err
		}
		o.output, o.input, o.params = y.Float32s(), grads[len(params)].Float32s(), nil
		for _, g := range grads[:len(params)] {
			o.params = append(o.params, g.Float32s()...)
		}
	}
	for _, b := range nn.NamedBuffers(net) {
		o.running = append(o.running, b.Tensor.Float32s()...)
	}
	return o, nil
}

// TestSyncBatchNorm compares ranks, which have unequal parts of a batch, with one that has it all.
func TestSyncBatchNorm(t *testing.T) {
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		want, err := throughNorms(nil, dev, 0, 12)
		require.NoError(t, err)
		require.NotEmpty(t, want.running)
		for _, bounds := range [][]int{{0, 12}, {0, 6, 12}, {0, 1, 5, 12}} {
			parts := make([]*normed, len(bounds)-1)
			require.NoError(t, distributed.Run(len(parts), func(g *distributed.Group) (err error) {
				from := bounds[g.Rank()]
				parts[g.Rank()], err = throughNorms(g, dev, from, bounds[g.Rank()+1]-from)
				return err
			}))
			var output, input []float32
			for _, p := range parts {
				output, input = append(output, p.output...), append(input, p.input...)
				require.InDeltaSlice(t, want.params, p.params, 2e-3, "gradients of parameters")
				require.InDeltaSlice(t, want.running, p.running, 1e-5, "running statistics")
			}
			require.InDeltaSlice(t, want.output, output, 1e-4, "outputs")
			require.InDeltaSlice(t, want.input, input, 1e-4, "gradients of the input")
		}
	}
}
