package nn_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// TestDynamicImported: one program for each bucket serves all lengths of an imported transformer, of one sequence and
// of two that are equal, and computes what PyTorch does: testdata/dynamic/record.py.
func TestDynamicImported(t *testing.T) {
	const folder = "testdata/dynamic"
	text, err := os.ReadFile(filepath.Join(folder, "about.json"))
	require.NoError(t, err)
	var about map[string]*array
	require.NoError(t, json.Unmarshal(text, &about))
	for name, most := range map[string]int{"encoder.pt": 2, "encoder.pt2": 1} { // which was exported for one
		m, err := machine.Preset("npu1")
		require.NoError(t, err)
		dev := acap.New(m) // no other test knows its programs
		model, err := nn.LoadTorchScript(filepath.Join(folder, name), dev)
		require.NoError(t, err)
		for sequences := 1; sequences <= most; sequences++ {
			for n := 3; n <= 12; n++ {
				var ids, mask []int64
				for i := range sequences * n {
					ids, mask = append(ids, int64(i%n*7%30)), append(mask, 1)
					if i%n == 1 {
						mask[i] = 0
					}
				}
				dynamic := func(list []int64) *tensor.Tensor {
					return tensor.FromSlice(list, sequences, n).To(dev).Dynamic(1, 8, 16)
				}
				y, err := model.Forward(dynamic(ids), dynamic(mask))
				require.NoError(t, err)
				require.NoError(t, lazy.Sync(context.Background(), y[0]))
				all := y[0].Float32s()
				for part := range slices.Chunk(all, len(all)/sequences) {
					about[strconv.Itoa(n)].equal(t, tensor.FromSlice(part, append([]int{1}, y[0].Shape()[1:]...)...), name)
				}
			}
		}
		require.Len(t, lazy.For(dev).WhyRecompiled(), 2*most, "%s: one for each bucket: %v", name, lazy.For(dev).Metrics().Warnings)
	}
}
