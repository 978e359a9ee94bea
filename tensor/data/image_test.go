package data_test

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/data/digits"
)

func TestGray(t *testing.T) {
	img := image.NewGray(image.Rect(2, 3, 4, 4))
	img.SetGray(3, 3, color.Gray{Y: 255})
	b := data.Gray(img)
	require.Equal(t, []int{1, 1, 1, 2}, b.Shape)
	require.Equal(t, []float32{0, 1}, buf.Slice[float32](b))
}

func TestReadGray(t *testing.T) {
	b, err := data.ReadGray(filepath.Join("digits", "digit_3.png"))
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 28, 28}, b.Shape)
	picture, err := digits.Picture(3)
	require.NoError(t, err)
	require.Equal(t, data.Gray(picture).Bytes(), b.Bytes())

	path := filepath.Join(t.TempDir(), "broken.png")
	require.NoError(t, os.WriteFile(path, []byte("no picture"), 0o644))
	_, err = data.ReadGray(path)
	require.ErrorContains(t, err, "broken.png")
	_, err = data.ReadGray(path + "x")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = digits.Picture(10)
	require.Error(t, err)
}
