package mutate_test

import (
	"archive/zip"
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/translate/importer/mutate"
	"github.com/go-acap/acap/translate/importer/onnx"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

// TestChanges: the same numbers give the same change, a change changes, and what is changed keeps so
// much of its form that readers get past its first bytes often.
func TestChanges(t *testing.T) {
	for name, read := range map[string]func(data []byte) error{
		"../onnx/testdata/layer.onnx": func(data []byte) error {
			_, err := onnx.Read(data, "m")
			return err
		},
		"../torchscript/testdata/net.pt": func(data []byte) error {
			_, err := torchscript.Read(bytes.NewReader(data), int64(len(data)), "m")
			return err
		},
	} {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, read(data))
		changed, accepted := 0, 0
		for seed := range uint64(200) {
			a := mutate.File(rand.New(rand.NewPCG(seed, 1)), name, data)
			require.Equal(t, a, mutate.File(rand.New(rand.NewPCG(seed, 1)), name, data))
			if !bytes.Equal(a, data) {
				changed++
			}
			if read(a) == nil {
				accepted++
			}
		}
		require.Greater(t, changed, 150, name)
		require.Greater(t, accepted, 20, name)
	}
}

func TestText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		require.NotPanics(t, func() { mutate.Text(r, []byte("x = torch.add(y, 1)\n"), mutate.Calls) })
		require.NotPanics(t, func() { mutate.Pickle(r, []byte("\x80\x02]q\x00h\x00aX\x01\x00\x00\x00a.")) })
		require.NotPanics(t, func() { mutate.Bytes(r, nil) })
	}
}

// TestDamaged: a file that is not of its format is changed by its bytes, a program without statements as a text.
func TestDamaged(t *testing.T) {
	archive := func(name, body string) []byte {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		require.NoError(t, err)
		_, err = w.Write([]byte(body))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		return out.Bytes()
	}
	text := func(r *rand.Rand, data []byte) []byte { return mutate.Text(r, data, mutate.Calls) }
	for _, c := range []struct {
		change, as func(*rand.Rand, []byte) []byte
		data       []byte
		same       bool
	}{
		{mutate.ONNX, mutate.Bytes, []byte{0x80}, true},
		{mutate.ONNX, mutate.Bytes, []byte{0x08, 0x80}, true},
		{mutate.ONNX, mutate.Bytes, []byte{0x12, 0x80}, true},
		{mutate.ONNX, mutate.Bytes, []byte{0x0b, 1, 2}, true},
		{mutate.ONNX, mutate.Bytes, []byte{0x12, 3, 'a', 'b'}, true},
		{mutate.ONNX, mutate.Bytes, []byte{0x3a, 1, 0x80}, true},
		{mutate.ONNX, mutate.Bytes, []byte{0x09, 1, 2, 3, 4, 5, 6, 7}, true},
		{mutate.ONNX, mutate.Bytes, []byte{0x0d, 1, 2, 3}, true},
		{mutate.ONNX, mutate.Bytes, []byte{0x08, 1, 0x12, 2, 'a', 'b', 0x0d, 1, 2, 3, 4, 0x09, 1, 2, 3, 4, 5, 6, 7, 8}, false},
		{mutate.ONNX, mutate.Bytes, []byte{0x3a, 2, 0x08, 1}, false},
		{mutate.TorchScript, mutate.Bytes, []byte("no archive"), true},
		{mutate.TorchScript, mutate.Bytes, archive("a.txt", "nothing"), true},
		{mutate.TorchScript, mutate.Bytes, archive("a.pkl", "N."), false},
		{mutate.Code, text, []byte("class M:\n  pass\n"), true},
		{mutate.Code, text, []byte("class M:\n  def f(x):\n    return x\n"), false},
		{text, mutate.Bytes, nil, true},
		{text, mutate.Bytes, []byte("a b"), false},
		{mutate.Pickle, func(*rand.Rand, []byte) []byte { return nil }, nil, true},
	} {
		alike := 0
		for seed := range uint64(50) {
			if bytes.Equal(c.change(rand.New(rand.NewPCG(seed, 1)), c.data), c.as(rand.New(rand.NewPCG(seed, 1)), c.data)) {
				alike++
			}
		}
		if c.same {
			require.Equal(t, 50, alike, "%q", c.data)
		} else {
			require.Less(t, alike, 25, "%q", c.data)
		}
	}
}
