package nn_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// TestStateFiles reads what PyTorch wrote of nn.Sequential(Linear(3, 4), ReLU(), Linear(4, 2)), puts it
// into a model of the same layers, and brings it through the other formats.
func TestStateFiles(t *testing.T) {
	state, err := nn.ReadState("testdata/state/linear.pt")
	require.NoError(t, err)
	x := tensor.Of([]float32{1, 2, 3}, 1, 3)
	var first []float32
	written, err := os.ReadFile("testdata/state/linear.pt")
	require.NoError(t, err)
	for _, name := range []string{"pytorch_model.bin", "last.ckpt"} { // names that Hugging Face and Lightning give to such files
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, written, 0o644))
		same, err := nn.ReadState(path)
		require.NoError(t, err)
		require.Len(t, same, len(state))
	}
	for _, name := range []string{"", "s.safetensors", "s.npz"} {
		if name != "" {
			path := filepath.Join(t.TempDir(), name)
			require.NoError(t, nn.WriteState(path, state))
			state, err = nn.ReadState(path)
			require.NoError(t, err)
		}
		net := nn.Sequential(nn.NewLinear(3, 4), nn.ReLU, nn.NewLinear(4, 2)).To(acap.Device())
		require.NoError(t, nn.LoadStateDict(net, state))
		y := net.Forward(x.To(acap.Device())).Float32s()
		if first == nil {
			first = y
		}
		require.InDeltaSlice(t, []float32{0.4170050621032715, -0.6493388414382935}, y, 1e-5, name)
		require.Equal(t, first, y, name)
	}
	delete(state, "0.bias")
	net := nn.Sequential(nn.NewLinear(3, 4), nn.ReLU, nn.NewLinear(4, 2))
	require.ErrorContains(t, nn.LoadStateDict(net, state), "0.bias is missing")
}

// Integers of quantized tensors come with what they stand for, by all names; PyTorch 2.14 gives the numbers.
func TestStateOfQuantized(t *testing.T) {
	state, err := nn.ReadState("testdata/state/quantized.pt")
	require.NoError(t, err)
	for name, want := range map[string][]float64{
		"w.int_repr": {5, 0, 4, 9, 3, 1}, "w.scale": {0.5}, "w.zero_point": {3},
		"tied.int_repr": {5, 0, 4, 9, 3, 1}, "tied.scale": {0.5}, "tied.zero_point": {3},
		"c.int_repr": {2, -4, 1, 13, 1, -3}, "c.scale": {0.5, 0.25}, "c.zero_point": {0, 1}, "c.axis": {0},
	} {
		require.Contains(t, state, name)
		require.Equal(t, want, state[name].Float64s(), name)
	}
	require.Len(t, state, 10)
}

// A file of llama.cpp's form is a state: here one tensor of f32. TestStateOfFolder: a folder as Hugging Face's tools
// make it is read as what it holds, and one without a model is refused.
func TestStateOfFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "snapshot.v1")
	require.NoError(t, os.Mkdir(dir, 0o755))
	_, err := nn.ReadState(dir)
	require.ErrorContains(t, err, "has neither model.safetensors nor model.safetensors.index.json")
	require.NoError(t, nn.WriteState(filepath.Join(dir, "model.safetensors"), map[string]*tensor.Tensor{"w": tensor.FromSlice([]float32{1, 2}, 2)}))
	state, err := nn.ReadState(dir)
	require.NoError(t, err)
	require.Equal(t, []float32{1, 2}, tensor.Data[float32](state["w"]))
}

func TestStateOfGGUF(t *testing.T) {
	data := []byte("GGUF\x03\x00\x00\x00" + // version 3, one tensor, no metadata
		"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x06\x00\x00\x00\x00\x00\x00\x00weight\x01\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00" +
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	data = append(data, make([]byte, 64-len(data)%32-32)...)
	data = append(data, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0)
	path := filepath.Join(t.TempDir(), "w.gguf")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	state, err := nn.ReadState(path)
	require.NoError(t, err)
	require.Equal(t, []float32{1, -2}, state["weight"].Float32s())
}

func TestStateFileErrors(t *testing.T) {
	text := filepath.Join(t.TempDir(), "state.txt")
	require.NoError(t, os.WriteFile(text, nil, 0o644))
	_, err := nn.ReadState(text)
	require.EqualError(t, err, text+`: unknown kind of state ".txt"; there are .safetensors, .gguf, .npz and .pt, .pth, .bin and .ckpt`)
	for _, missing := range []string{"none.npz", "none.txt", "none"} {
		_, err = nn.ReadState(missing)
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	require.EqualError(t, nn.WriteState("s.pt", nil), `s.pt: unknown kind of state ".pt"; there are .safetensors and .npz`)
}
