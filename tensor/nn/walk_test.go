package nn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// Layers that nobody could find are an error, not a model that does not learn.
func TestHiddenFields(t *testing.T) {
	type hiddenLayer struct {
		Out    *nn.Linear
		hidden *nn.Linear
	}
	type hiddenList struct{ layers []nn.Module }
	type hiddenTensor struct{ scale *tensor.Tensor }
	for _, m := range []any{&hiddenLayer{nn.NewLinear(1, 1), nn.NewLinear(1, 1)}, &hiddenList{[]nn.Module{nn.NewLinear(1, 1)}},
		&hiddenTensor{tensor.Ones(1)}} {
		require.ErrorContains(t, tensor.Try(func() { nn.Parameters(m) }), "is not exported")
	}
	type leftOut struct {
		Out    *nn.Linear
		mask   *tensor.Tensor `nn:"-"`
		number int
	}
	require.Len(t, nn.Parameters(&leftOut{Out: nn.NewLinear(1, 1), mask: tensor.Ones(1), number: 1}), 2)
}

// Handles that were taken before a model moves are those that are trained.
func TestParametersBeforeTo(t *testing.T) {
	net := nn.Sequential(nn.NewLinear(2, 2))
	before := net.Parameters()
	net.To(acap.Device())
	require.Equal(t, before, net.Parameters())
	net.Forward(tensor.Ones(1, 2).To(before[0].Device())).Sum().Backward()
	require.NotNil(t, before[0].Gradient())
}
