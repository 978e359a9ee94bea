package modelfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/safetensors"
)

// TestReadInput: a file of one tensor is an input, of bf16, too, which .npy files do not have; files of other kinds are
// told which there are.
func TestReadInput(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.safetensors")
	want := buf.New(dtype.BF16, []int{2, 3})
	want.SetFloat64(4, -1.5)
	tensor := safetensors.Tensor{Name: "x", Data: want}
	require.NoError(t, safetensors.WriteFile(path, []safetensors.Tensor{tensor}, nil))
	got, err := ReadInput(path, data.Picture{})
	require.NoError(t, err)
	require.Equal(t, want.DType, got.DType)
	require.Equal(t, want.Shape, got.Shape)
	require.Equal(t, want.Bytes(), got.Bytes())
	require.NoError(t, safetensors.WriteFile(path, []safetensors.Tensor{tensor, {Name: "y", Data: want}}, nil))
	_, err = ReadInput(path, data.Picture{})
	require.ErrorContains(t, err, "an input is one tensor, and the file holds 2")
	picture := filepath.Join(dir, "x.jp2")
	require.NoError(t, os.WriteFile(picture, []byte("RIFF broken"), 0o600))
	_, err = ReadInput(picture, data.Picture{})
	require.ErrorContains(t, err, "inputs are .npy and .safetensors files, and pictures such as .png and .jpg")
}
