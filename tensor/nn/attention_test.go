package nn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// TestPaddedSamples: a sample that is all padding takes nothing, so that its results are the bias of the last layer,
// and gradients come from the sample beside it alone. Whether shares are dropped makes no difference.
func TestPaddedSamples(t *testing.T) {
	for _, d := range []device.Device{host.Device(), acap.Device()} {
		for _, dropout := range []float64{0, 1e-30} {
			for _, number := range []bool{false, true} {
				a := nn.NewMultiheadAttention(4, 2)
				a.Dropout = dropout
				a.Out.Bias = tensor.Of([]float32{1, 2, 3, 4}, 4).RequiresGrad()
				nn.To(a, d)
				mask := tensor.Of([]bool{false, false, false, true, true, false}, 2, 1, 1, 3)
				if number {
					inf := float32(math.Inf(-1))
					mask = tensor.Of([]float32{inf, inf, inf, 0, 0, inf}, 2, 1, 1, 3)
				}
				x := tensor.Randn(2, 3, 4).To(d)
				gradients := func(x, mask *tensor.Tensor) (y, grad *tensor.Tensor) {
					y = a.Attend(x, x, x, mask, false)
					return y, tensor.Grad([]*tensor.Tensor{y.Narrow(0, y.Size(0)-1, 1).Square().Sum()},
						[]*tensor.Tensor{a.InWeight}, nil)[0]
				}
				y, grad := gradients(x, mask.To(d))
				_, alone := gradients(x.Narrow(0, 1, 1), mask.Narrow(0, 1, 1).To(d))
				require.Equal(t, []float64{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}, y.Float64s()[:12], "%s", d.Name())
				require.InDeltaSlice(t, alone.Float64s(), grad.Float64s(), 1e-5)
			}
		}
	}
}

// TestPaddingBesideCausal: a mask and the hiding of later keys act together, with dropout or without: what a query sees
// is what both show. Values are those of the one mask that says so.
func TestPaddingBesideCausal(t *testing.T) {
	inf := float32(math.Inf(-1))
	padded := map[string][2]*tensor.Tensor{ // the second key is padding
		"bool": {tensor.Of([]bool{true, false, true}, 1, 1, 1, 3),
			tensor.Of([]bool{true, false, false, true, false, false, true, false, true}, 3, 3)},
		"float": {tensor.Of([]float32{0.5, inf, 2}, 1, 1, 1, 3),
			tensor.Of([]float32{0.5, inf, inf, 0.5, inf, inf, 0.5, inf, 2}, 3, 3)},
	}
	x := tensor.Randn(2, 3, 4)
	for name, masks := range padded {
		for _, dropout := range []float64{0, 1e-30} {
			a := nn.NewMultiheadAttention(4, 2)
			a.Dropout = dropout
			want := a.Attend(x, x, x, masks[1], false).Float32s()
			require.InDeltaSlice(t, want, a.Attend(x, x, x, masks[0], true).Float32s(), 1e-6, "%s, dropout %v", name, dropout)
		}
	}
}
