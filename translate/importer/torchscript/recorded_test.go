package torchscript

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor/npy"
)

// recordedArrays reads the inputs and the results that were recorded for a model, by name.
func recordedArrays(t *testing.T, model string) map[string]*buf.Buffer {
	arrays, err := npy.ReadArchiveFile(strings.TrimSuffix(model, ".pt") + ".npz")
	require.NoError(t, err)
	recorded := map[string]*buf.Buffer{}
	for _, a := range arrays {
		recorded[a.Name] = a.Data
	}
	return recorded
}

// TestRecorded compares programs with what PyTorch and torchvision gave for them, see record/programs.py.
func TestRecorded(t *testing.T) {
	paths, err := filepath.Glob("testdata/recorded/*.pt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".pt"), func(t *testing.T) {
			recorded := recordedArrays(t, path)
			var inputs []*buf.Buffer
			for recorded[fmt.Sprintf("x%d", len(inputs))] != nil {
				inputs = append(inputs, recorded[fmt.Sprintf("x%d", len(inputs))])
			}
			m, err := Load(path)
			require.NoError(t, err)
			module, err := m.Specialize(inputs, onHost)
			require.NoError(t, err)
			out, err := onHost(module, inputs)
			require.NoError(t, err)
			require.Len(t, out, len(recorded)-len(inputs))
			for i, got := range out {
				want := recorded[fmt.Sprintf("y%d", i)]
				require.Equal(t, want.Shape, got.Shape)
				require.Equal(t, want.DType, got.DType)
				for k := range want.Len() {
					w := want.Float64(k)
					require.InDelta(t, w, got.Float64(k), 1e-5+1e-5*math.Abs(w), "result %d, element %d", i, k)
				}
			}
		})
	}
}

// TestManyBoxes: what boxes cost that lie apart is counted by pairs, which are cheaper than statements.
func TestManyBoxes(t *testing.T) {
	const n = 9000
	boxes := buf.New(dtype.F32, []int{n, 4})
	for i := range n {
		for k, v := range []float64{float64(2 * i), 0, float64(2*i + 1), 1} {
			boxes.SetFloat64(4*i+k, v)
		}
	}
	m, err := read(moduleArchive(t, "    return ops.torchvision.nms(x, torch.select(x, 1, 0), 0.5)\n"))
	require.NoError(t, err)
	module, err := m.Specialize([]*buf.Buffer{boxes}, onHost)
	require.NoError(t, err)
	out, err := onHost(module, []*buf.Buffer{boxes})
	require.NoError(t, err)
	require.Equal(t, []int{n}, out[0].Shape)
	for i := range n {
		require.Equal(t, int64(n-1-i), out[0].Int64(i))
	}
}

// What calls of prepared layers and of torchvision get wrong is named.
func TestRefusedLayers(t *testing.T) {
	for body, want := range map[string]string{
		"ops.prepacked.linear_clamp_run(x, (x, None, None))":                             "unknown operator prepacked::linear_clamp_run",
		"ops.prepacked.conv2d_clamp_run(x, ops.prepacked.linear_clamp_prepack(x, None))": "unknown operator prepacked::conv2d_clamp_run",
		"ops.prepacked.linear_clamp_run(1, ops.prepacked.linear_clamp_prepack(x, None))": "argument 0 is a int instead of a tensor",
		"ops.torchvision.nms(x, x, 0.5)":                                                 "nms of boxes depends on the elements of a tensor",
		"ops.torchvision.nms(torch.tensor([[1., 2.]]), torch.tensor([1.]), 0.5)":         "boxes",
		"ops.torchvision.roi_align(x, x, 1., 2, 2, 2, False)":                            "regions of roi_align depends on the elements of a tensor",
		"ops.torchvision.roi_pool(x, x, 1., 2, 2)":                                       "operator torchvision::roi_pool is not supported: pools of regions whose windows depend on data",
	} {
		_, err := importBody(t, "    return "+body+"\n", 2, 2)
		require.ErrorContains(t, err, want, body)
	}
	for body, want := range map[string]string{
		"ops.torchvision.nms(x, x, 0.5)":                                                "boxes [2 5] with scores [2 5]",
		"ops.torchvision.roi_align(x, torch.select(x, 0, 0), 1., 2, 2, 2, False)":       "regions [5] of roi_align",
		"ops.torchvision.roi_align(x, x, 1., 2, 2, 2, False)":                           "regions [2 4] in [2 5]",
		"ops.torchvision.roi_align(torch.ones([1, 1, 2, 2]), x, 1., 2, 2, 2, False)":    "batch index 3 of 1",
		"ops.torchvision.roi_align(torch.ones([9, 1, 2, 2]), x, 1., 0, 2, 2, False)":    "0 × 2 cells",
		"ops.torchvision.roi_align(torch.ones([9, 1, 2, 2]), x, 1., 2, 2, 9999, False)": "the program runs more than",
	} {
		m, err := read(moduleArchive(t, "    return "+body+"\n"))
		require.NoError(t, err)
		_, err = m.Specialize([]*buf.Buffer{buf.From([]float32{0, 1, 1, 2, 2, 3, 1, 1, 3, 3}, 2, 5)}, onHost)
		require.ErrorContains(t, err, want, body)
	}
}
