package nn_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// TestGradientsThroughMasks: where the shape of a result depends on data, the data only chooses. Gradients flow
// through what it chooses from, as PyTorch has them: testdata/masks/record.py.
func TestGradientsThroughMasks(t *testing.T) {
	const folder = "testdata/masks"
	text, err := os.ReadFile(filepath.Join(folder, "about.json"))
	require.NoError(t, err)
	var about map[string]struct {
		Inputs, Gradients []*struct {
			array
			Mask bool
		}
		Output, Cotangent array
	}
	require.NoError(t, json.Unmarshal(text, &about))
	require.Len(t, about, 11)
	for _, dev := range []device.Device{acap.Device(), host.Device()} {
		for _, name := range slices.Sorted(maps.Keys(about)) {
			c := about[name]
			m, err := nn.LoadTorchScript(filepath.Join(folder, name), dev)
			require.NoError(t, err, name)
			var inputs, wanted []*tensor.Tensor
			for i, a := range c.Inputs {
				x := a.tensor(dev)
				if a.Mask {
					x = x.ToDtype(dtype.Bool)
				}
				if c.Gradients[i] != nil {
					x = x.RequiresGrad()
					wanted = append(wanted, x)
				}
				inputs = append(inputs, x)
			}
			y, err := m.Forward(inputs...)
			require.NoError(t, err, name)
			c.Output.equal(t, y[0], name)
			got := tensor.Grad(y[:1], wanted, []*tensor.Tensor{c.Cotangent.tensor(dev)})
			for _, a := range c.Gradients {
				if a != nil {
					a.equal(t, got[0], "a gradient of "+name)
					got = got[1:]
				}
			}
		}
	}
}
