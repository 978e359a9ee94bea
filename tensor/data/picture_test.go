package data_test

import (
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor/data"
)

// pattern is a picture whose pixels follow formulas.
func pattern() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 17, 12))
	for y := range 12 {
		for x := range 17 {
			m.SetNRGBA(x, y, color.NRGBA{uint8(13*x + 11*y), uint8(x*x + 9*y), uint8(250 - x*y), 255})
		}
	}
	return m
}

// TestPictureLikeTorchvision: values are those of torchvision 0.27's Resize, CenterCrop, ToTensor and Normalize on
// Pillow's picture, whose bytes are rounded.
func TestPictureLikeTorchvision(t *testing.T) {
	for _, c := range []struct {
		picture data.Picture
		shape   []int
		want    []float32
		step    float64 // of a byte
	}{
		{data.Picture{Resize: []int{5}, Crop: []int{3}, Mean: []float64{0.485, 0.456, 0.406}, Std: []float64{0.229, 0.224, 0.225}}, []int{1, 3, 3, 3},
			[]float32{-0.3027, 0.2453, 0.7933, 0.1597, 0.7077, 1.256, 0.6049, 1.153, 1.667, -0.9853, -0.4076, 0.3803, -0.6001, -0.02241, 0.7654, -0.2325,
				0.3452, 1.133, 2.257, 2.117, 1.995, 2.03, 1.786, 1.559, 1.786, 1.455, 1.106}, 1 / 255.0 / 0.224},
		{data.Picture{Resize: []int{3, 2}}, []int{1, 3, 3, 2}, []float32{0.3137, 0.6627, 0.4706, 0.6745, 0.6196, 0.5255, 0.1804, 0.5255, 0.3098, 0.5569,
			0.4353, 0.5451, 0.9451, 0.8941, 0.8824, 0.7333, 0.8196, 0.5725}, 1 / 255.0},
		{data.Picture{Resize: []int{16, 20}, Crop: []int{2, 3}}, []int{1, 3, 2, 3}, []float32{0.5608, 0.6039, 0.651, 0.5961, 0.6392, 0.6863, 0.3569, 0.4078,
			0.4588, 0.3843, 0.4353, 0.4863, 0.8431, 0.8275, 0.8118, 0.8275, 0.8078, 0.7843}, 1 / 255.0},
		{data.Picture{Resize: []int{4}, Channels: 1, Mean: []float64{0.5}, Std: []float64{0.25}}, []int{1, 1, 4, 5}, []float32{-1.263, -0.902, -0.3059, 0.5098,
			0.902, -0.902, -0.5569, 0.02353, 0.8235, 0.5725, -0.5098, -0.1804, 0.3843, 0.9333, -0.4784, -0.1333, 0.1647, 0.698, 0.5412, -0.9176}, 4 / 255.0},
		{data.Picture{Crop: []int{3, 4}}, []int{1, 3, 3, 4}, []float32{0.4784, 0.5294, 0.5804, 0.6314, 0.5216, 0.5725, 0.6235, 0.6745, 0.5647, 0.6157, 0.6667,
			0.7176, 0.2824, 0.3333, 0.3922, 0.4588, 0.3176, 0.3686, 0.4275, 0.4941, 0.3529, 0.4039, 0.4627, 0.5294, 0.8863, 0.8706, 0.8549, 0.8392, 0.8627,
			0.8431, 0.8235, 0.8039, 0.8392, 0.8157, 0.7922, 0.7686}, 0.05 / 255},
	} {
		b, err := c.picture.Convert(pattern())
		require.NoError(t, err)
		require.Equal(t, c.shape, b.Shape)
		require.InDeltaSlice(t, c.want, buf.Slice[float32](b), 1.01*c.step, "%+v", c.picture)
	}
}

// TestShorterSide: the longer side keeps the proportion, cut to whole pixels.
func TestShorterSide(t *testing.T) {
	for size, want := range map[image.Point][]int{{X: 12, Y: 17}: {1, 3, 7, 5}, {X: 17, Y: 12}: {1, 3, 5, 7}, {X: 9, Y: 9}: {1, 3, 5, 5}} {
		b, err := data.Picture{Resize: []int{5}}.Convert(image.NewNRGBA(image.Rectangle{Max: size}))
		require.NoError(t, err)
		require.Equal(t, want, b.Shape)
	}
}

// TestTransparent: colours that nothing covers count as they are, when scaled and in grey, too.
func TestTransparent(t *testing.T) {
	m := pattern()
	for _, p := range []data.Picture{{}, {Channels: 1}, {Resize: []int{5}}, {Resize: []int{5}, Channels: 1}} {
		want, err := p.Convert(pattern())
		require.NoError(t, err)
		for i := 3; i < len(m.Pix); i += 4 {
			m.Pix[i] = byte(i % 3)
		}
		got, err := p.Convert(m)
		require.NoError(t, err)
		require.InDeltaSlice(t, buf.Slice[float32](want), buf.Slice[float32](got), 1e-4, "%+v", p)
	}
}

// TestReadPictures: a picture has the channels of its file, and files of several kinds are the same picture.
func TestReadPictures(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, encode func(f *os.File) error) string {
		f, err := os.Create(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NoError(t, encode(f))
		require.NoError(t, f.Close())
		return f.Name()
	}
	flat := image.NewNRGBA(image.Rect(0, 0, 20, 10))
	grey := image.NewGray(flat.Rect)
	for i := range grey.Pix {
		copy(flat.Pix[4*i:], []byte{204, 51, 102, 255})
		grey.Pix[i] = 153
	}
	for _, path := range []string{
		write("c.png", func(f *os.File) error { return png.Encode(f, flat) }),
		write("c.JPEG", func(f *os.File) error { return jpeg.Encode(f, flat, &jpeg.Options{Quality: 100}) }),
		write("c.ppm", func(f *os.File) error {
			_, err := fmt.Fprintf(f, "P3 20 10 255 %s", fmt.Sprintln(pixels(flat)...))
			return err
		}),
	} {
		b, err := data.Picture{}.Read(path)
		require.NoError(t, err)
		require.Equal(t, []int{1, 3, 10, 20}, b.Shape)
		for i, v := range buf.Slice[float32](b) {
			require.InDelta(t, []float64{0.8, 0.2, 0.4}[i/200], v, 0.02, path)
		}
	}
	path := write("g.png", func(f *os.File) error { return png.Encode(f, grey) })
	b, err := data.Picture{}.Read(path)
	require.NoError(t, err)
	require.Equal(t, []int{1, 1, 10, 20}, b.Shape)
	require.InDelta(t, 0.6, b.Float64(7), 1e-6)
	b, err = data.Picture{Channels: 3}.Read(path)
	require.NoError(t, err)
	require.Equal(t, []int{1, 3, 10, 20}, b.Shape)
	require.True(t, data.IsPicture("a/B.JPG"))
	require.False(t, data.IsPicture("a.npy"))
}

func pixels(m *image.NRGBA) (list []any) {
	for i, v := range m.Pix {
		if i%4 < 3 {
			list = append(list, v)
		}
	}
	return list
}

// TestPictureErrors: what no picture can be converted by says why.
func TestPictureErrors(t *testing.T) {
	for want, p := range map[string]data.Picture{
		"a part of 13 x 4 pixels is larger than the picture, which has 12 x 17": {Crop: []int{13, 4}},
		"12 x 17 pixels is not scaled to":                                       {Resize: []int{1 << 25}},
		"a size is [0]":                                                         {Resize: []int{0}},
		"a size is [1 2 3]":                                                     {Crop: []int{1, 2, 3}},
		"2 channels: want 1 or 3":                                               {Channels: 2},
		"3 numbers, and the picture 1":                                          {Channels: 1, Mean: []float64{1, 2, 3}},
		"deviation is 0":                                                        {Std: []float64{1, 0, 1}},
		"is [NaN]":                                                              {Mean: []float64{math.NaN()}},
	} {
		_, err := p.Convert(pattern())
		require.ErrorContains(t, err, want)
	}
}

// A picture becomes what a network of ImageNet reads.
func ExamplePicture() {
	p := data.Picture{Resize: []int{8}, Crop: []int{4}, Mean: []float64{0.5}, Std: []float64{0.5}}
	b, err := p.Convert(image.NewNRGBA(image.Rect(0, 0, 40, 30)))
	fmt.Println(b.Shape, b.Float64(0), err)
	// Output: [1 3 4 4] -1 <nil>
}
