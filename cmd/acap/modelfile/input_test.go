package modelfile

import (
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
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
	picture := filepath.Join(dir, "x.webp")
	require.NoError(t, os.WriteFile(picture, []byte("RIFF broken"), 0o600))
	_, err = ReadInput(picture)
	require.ErrorContains(t, err, "inputs are .npy, .safetensors, .png, .jpg or .gif files")
}

// TestReadPictures: pictures have the channels that they have in their files, and one of a JPEG's colours comes back
// within what the compression loses.
func TestReadPictures(t *testing.T) {
	dir := t.TempDir()
	colours := image.NewNRGBA(image.Rect(0, 0, 8, 6))
	draw.Draw(colours, colours.Rect, image.NewUniform(color.NRGBA{R: 204, G: 51, B: 102, A: 255}), image.Point{}, draw.Src)
	few := image.NewPaletted(colours.Rect, color.Palette{colours.At(0, 0)})
	grey := image.NewGray(image.Rect(0, 0, 5, 4))
	grey.SetGray(2, 1, color.Gray{Y: 153})
	for name, encode := range map[string]func(io.Writer) error{
		"c.png":  func(w io.Writer) error { return png.Encode(w, colours) },
		"c.jpg":  func(w io.Writer) error { return jpeg.Encode(w, colours, &jpeg.Options{Quality: 100}) },
		"c.JPEG": func(w io.Writer) error { return jpeg.Encode(w, colours, &jpeg.Options{Quality: 100}) },
		"c.gif":  func(w io.Writer) error { return gif.Encode(w, few, nil) },
		"g.png":  func(w io.Writer) error { return png.Encode(w, grey) },
		"g.jpg":  func(w io.Writer) error { return jpeg.Encode(w, grey, &jpeg.Options{Quality: 100}) },
	} {
		f, err := os.Create(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NoError(t, encode(f))
		require.NoError(t, f.Close())
		got, err := ReadInput(f.Name())
		require.NoError(t, err, name)
		if name[0] == 'g' {
			require.Equal(t, []int{1, 1, 4, 5}, got.Shape, name)
			require.InDelta(t, 0.6, got.Float64(1*5+2), 0.02, name)
			continue
		}
		require.Equal(t, []int{1, 3, 6, 8}, got.Shape, name)
		for channel, want := range []float64{0.8, 0.2, 0.4} {
			require.InDelta(t, want, got.Float64(channel*48+20), 0.03, "%s, channel %d", name, channel)
		}
	}
}
