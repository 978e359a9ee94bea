package mutate_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir/importer/mutate"
	"github.com/go-acap/acap/mlir/importer/onnx"
	"github.com/go-acap/acap/mlir/importer/torchscript"
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
