package data_test

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
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

// TestPictures: rows and columns of a picture that does not begin at (0, 0), its colours without what is transparent.
func TestPictures(t *testing.T) {
	img := image.NewNRGBA(image.Rect(-1, 5, 2, 7))
	var gray []float32
	var planes [3][]float32
	for y := range 2 {
		for x := range 3 {
			c := color.NRGBA{uint8(40 * x), uint8(90 * y), uint8(10 + x + y), uint8(200 - 100*x)}
			img.SetNRGBA(x-1, y+5, c)
			for i, v := range []uint8{c.R, c.G, c.B} {
				planes[i] = append(planes[i], float32(v)/255)
			}
			g := uint8(30*x + 7*y)
			gray = append(gray, float32(g)/255)
		}
	}
	b := data.Color(img)
	require.Equal(t, []int{3, 2, 3}, b.Shape)
	for i, want := range planes {
		require.InDeltaSlice(t, want, buf.Slice[float32](b)[6*i:6*i+6], 1e-6)
	}
	plain := image.NewGray(img.Bounds())
	for y := range 2 {
		for x := range 3 {
			plain.SetGray(x-1, y+5, color.Gray{Y: uint8(30*x + 7*y)})
		}
	}
	require.Equal(t, []int{1, 1, 2, 3}, data.Gray(plain).Shape)
	require.InDeltaSlice(t, gray, buf.Slice[float32](data.Gray(plain)), 1e-6)
}

// TestNormalize: each channel by its own mean and deviation, other fields as they are, and the example that went in.
func TestNormalize(t *testing.T) {
	normalize := data.Normalize([]float64{1, -2}, []float64{2, 0.5})
	label := buf.From([]int64{7}, 1)
	in := data.Example{buf.From([]float32{1, 3, 5, -2, -1, 0}, 2, 3), label}
	out, err := normalize(in)
	require.NoError(t, err)
	require.Equal(t, []int{2, 3}, out[0].Shape)
	require.Equal(t, []float32{0, 1, 2, 0, 2, 4}, buf.Slice[float32](out[0]))
	require.Same(t, label, out[1])
	require.Equal(t, []float32{1, 3, 5, -2, -1, 0}, buf.Slice[float32](in[0]))
	for name, bad := range map[string]data.Example{
		"no field": {}, "absent": {nil}, "a number": {buf.From([]float32{1})}, "three channels": {buf.From([]float32{1, 2, 3}, 3)},
		"integers": {buf.From([]int64{1, 2}, 2)},
	} {
		_, err := normalize(bad)
		require.EqualError(t, err, "data: normalize: 2 means and 2 deviations are not the channels of the first field", name)
	}
	_, err = data.Normalize([]float64{1, 2}, []float64{1})(in)
	require.EqualError(t, err, "data: normalize: 2 means and 1 deviations are not the channels of the first field")
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
