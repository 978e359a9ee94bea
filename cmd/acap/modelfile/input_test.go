package modelfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
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
	got, err := ReadInput(path)
	require.NoError(t, err)
	require.Equal(t, want.DType, got.DType)
	require.Equal(t, want.Shape, got.Shape)
	require.Equal(t, want.Bytes(), got.Bytes())
	require.NoError(t, safetensors.WriteFile(path, []safetensors.Tensor{tensor, {Name: "y", Data: want}}, nil))
	_, err = ReadInput(path)
	require.ErrorContains(t, err, "an input is one tensor, and the file holds 2")
	picture := filepath.Join(dir, "x.jpg")
	require.NoError(t, os.WriteFile(picture, []byte("\xff\xd8\xff\xe0 broken"), 0o600))
	_, err = ReadInput(picture)
	require.ErrorContains(t, err, "inputs are .npy, .safetensors or .png files")
}
