package nn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
)

// rescaled is a layer of one's own with a tensor in a field.
type rescaled struct {
	Lin   *nn.Linear
	Scale *tensor.Tensor
}

func (m *rescaled) Forward(x *tensor.Tensor) *tensor.Tensor { return m.Lin.Forward(x).Mul(m.Scale) }

// TestTensorOfOwnLayer: a tensor in a field is trained if it requires a gradient, and else listed among the buffers.
func TestTensorOfOwnLayer(t *testing.T) {
	for _, parameter := range []bool{false, true} {
		m := &rescaled{nn.NewLinear(2, 1), tensor.Ones(1)}
		if parameter {
			m.Scale = m.Scale.RequiresGrad()
		}
		x, y := tensor.Randn(8, 2), tensor.Ones(8, 1).MulScalar(3)
		require.NoError(t, optim.Minimize(t.Context(), optim.NewAdam(0.1), nn.Parameters(m), m.Forward(x).MSELoss(y)))
		require.Equal(t, parameter, m.Scale.Item() != 1)
		names := map[string]bool{}
		for _, b := range nn.NamedBuffers(m) {
			names[b.Name] = true
		}
		require.Equal(t, map[bool]int{true: 3, false: 2}[parameter], len(nn.Parameters(m)))
		require.Equal(t, map[bool]int{true: 0, false: 1}[parameter], len(names))
	}
}
