package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor/nn"
)

// Both kinds of file learn, and what was written can be loaded into the model of the file.
func TestFineTune(t *testing.T) {
	for _, kind := range []string{"pt", "onnx"} {
		path := filepath.Join(t.TempDir(), "a.safetensors")
		var out bytes.Buffer
		require.NoError(t, run(&out, kind, path, 60))
		var name string
		var tensors, before, after int
		_, err := fmt.Sscanf(out.String(), "%s %d tensors trained, %d of 10 right before, %d after", &name, &tensors, &before, &after)
		require.NoError(t, err, out.String())
		require.Equal(t, 8, tensors, "two kernels of ten tensors are frozen")
		require.Less(t, before, 6)
		require.Equal(t, 10, after)

		model, err := load(kind, acap.Device())
		require.NoError(t, err)
		state, err := nn.ReadState(path)
		require.NoError(t, err)
		require.NoError(t, nn.LoadStateDict(model, state))
		set, err := negative()
		require.NoError(t, err)
		n, err := right(model, set, acap.Device())
		require.NoError(t, err)
		require.Equal(t, 10, n)
	}
}
