package optim_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/optim"
)

// TestTypes: complex parameters move as pairs of real numbers, and squares of gradients of f16 do not overflow. What is
// expected comes from PyTorch 2.14.
func TestTypes(t *testing.T) {
	makers := map[string]func() optim.Optimizer{
		"adam":    func() optim.Optimizer { return optim.NewAdam(0.1) },
		"rmsprop": func() optim.Optimizer { return optim.NewRMSprop(0.1) },
		"adagrad": func() optim.Optimizer { return optim.NewAdagrad(0.1) },
		"sgd":     func() optim.Optimizer { return &optim.SGD{LR: 0.1, Momentum: 0.9} },
	}
	complexes := map[string][]complex128{
		"adam":    {0.7000000100000004 + 2.299999996999999i, -3.1572709282867044 + 0.20000000428571496i},
		"rmsprop": {-1.2891296767060934 + 4.289130105852968i, -4.895321561271266 - 1.7891300270300605i},
		"adagrad": {0.7715542950234938 + 2.228445705019284i, -3.1894427189599917 + 0.27155429498857314i},
		"sgd":     {0.8316999999999999 + 2.561i, -3.0389999999999997 + 0.10729999999999998i},
	}
	halves := map[string][]float64{"adam": {0.7000, -1.7060}, "rmsprop": {-1.2890, 0.0203}}
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		for name, want := range complexes {
			p, opt := tensor.Of([]complex128{1 + 2i, -3 + 0.5i}).To(dev).RequiresGrad(), makers[name]()
			for i := range 3 {
				g := tensor.Of([]complex128{0.3 - 1i, complex(0.1*float64(i), 0.7)}).To(dev)
				require.NoError(t, opt.Step(context.Background(), []*tensor.Tensor{p}, []*tensor.Tensor{g}))
			}
			b, err := p.Buffer(context.Background())
			require.NoError(t, err)
			for i, w := range want {
				require.InDelta(t, real(w), real(b.Complex(i)), 1e-12, name)
				require.InDelta(t, imag(w), imag(b.Complex(i)), 1e-12, name)
			}
		}
		for name, want := range halves {
			p, opt := f16(dev, 1, -2).RequiresGrad(), makers[name]()
			for i := range 3 {
				g := f16(dev, 600, -900+200*float64(i))
				require.NoError(t, opt.Step(context.Background(), []*tensor.Tensor{p}, []*tensor.Tensor{g}))
			}
			require.InDeltaSlice(t, want, p.Float64s(), 2e-3, name)
		}
		clipped, norm := optim.ClipNorm([]*tensor.Tensor{f16(dev, 300, 400)}, 1)
		require.Equal(t, 500.0, norm.Item())
		require.Equal(t, []float64{0.60009765625, 0.80029296875}, clipped[0].Float64s())
		clipped, norm = optim.ClipNorm([]*tensor.Tensor{tensor.Of([]complex128{3 + 4i, 1i}).To(dev)}, 1)
		require.InDelta(t, 5.0990195135927845, norm.Item(), 1e-12)
		b, err := clipped[0].Buffer(context.Background())
		require.NoError(t, err)
		require.InDelta(t, 0.7844643867066124, imag(b.Complex(0)), 1e-12)

		l := optim.NewLBFGS(0.5)
		l.Iterations, l.Evaluations = 3, 3
		p := tensor.Of([]complex128{1 + 2i, -3 + 0.5i}).To(dev).RequiresGrad()
		to, weights := tensor.Of([]complex128{0.5 - 1i, 2 + 2i}).To(dev), tensor.Of([]float64{1, 3}).To(dev)
		for _, want := range []float64{96.75, 22.749026381557265} {
			loss, err := l.Step(context.Background(), []*tensor.Tensor{p}, func() *tensor.Tensor {
				d := p.Sub(to).Abs()
				return d.Mul(d).Mul(weights).Sum().Add(tensor.Call("real", p.Mul(p))[0].Sum())
			})
			require.NoError(t, err)
			require.InDelta(t, want, loss, 1e-9)
		}
		b, err = p.Buffer(context.Background())
		require.NoError(t, err)
		require.InDelta(t, 2.53826414134716, imag(b.Complex(1)), 1e-9)
	}
}

func f16(dev device.Device, x ...float64) *tensor.Tensor {
	return tensor.Call("_to_copy", tensor.Of(x).To(dev), tensor.DType(dtype.F16))[0]
}
