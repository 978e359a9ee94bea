package nn_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// TestDynamicImported: one program for each bucket serves all lengths of an imported transformer, and computes what PyTorch
// does: testdata/dynamic/record.py.
func TestDynamicImported(t *testing.T) {
	const folder = "testdata/dynamic"
	text, err := os.ReadFile(filepath.Join(folder, "about.json"))
	require.NoError(t, err)
	var about map[string]*array
	require.NoError(t, json.Unmarshal(text, &about))
	for _, name := range []string{"encoder.pt", "encoder.pt2"} {
		m, err := machine.Preset("npu1")
		require.NoError(t, err)
		dev := acap.New(m) // no other test knows its programs
		model, err := nn.LoadTorchScript(filepath.Join(folder, name), dev)
		require.NoError(t, err)
		for n := 3; n <= 12; n++ {
			ids, mask := make([]int64, n), make([]int64, n)
			for i := range ids {
				ids[i] = int64(i * 7 % 30)
				if i != 1 {
					mask[i] = 1
				}
			}
			dynamic := func(list []int64) *tensor.Tensor { return tensor.FromSlice(list, 1, n).To(dev).Dynamic(1, 8, 16) }
			y, err := model.Forward(dynamic(ids), dynamic(mask))
			require.NoError(t, err)
			require.NoError(t, lazy.Sync(context.Background(), y[0]))
			about[strconv.Itoa(n)].equal(t, y[0], name)
		}
		require.Len(t, lazy.For(dev).WhyRecompiled(), 2, "%s: one for each bucket: %v", name, lazy.For(dev).Metrics().Warnings)
	}
}
