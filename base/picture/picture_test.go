package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

// TestExact: formats that lose nothing give back what was written.
func TestExact(t *testing.T) {
	want := []byte{1, 2, 3, 40, 50, 60, 255, 0, 7, 0, 0, 0, 9, 8, 7, 200, 100, 50}
	m := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	for i := range 6 {
		m.SetNRGBA(i%3, i/3, color.NRGBA{want[3*i], want[3*i+1], want[3*i+2], 255})
	}
	for name, encode := range map[string]func(w io.Writer) error{
		"png": func(w io.Writer) error { return png.Encode(w, m) }, "bmp": func(w io.Writer) error { return bmp.Encode(w, m) },
		"tiff": func(w io.Writer) error { return tiff.Encode(w, m, nil) },
	} {
		var file bytes.Buffer
		require.NoError(t, encode(&file))
		p, err := Decode(file.Bytes())
		require.NoError(t, err, name)
		require.Equal(t, &Picture{2, 3, want}, p, name)
		_, err = Decode(file.Bytes()[:file.Len()/2])
		require.Error(t, err, name)
	}
	// What is half transparent keeps its colour.
	m.SetNRGBA(1, 0, color.NRGBA{40, 50, 60, 128})
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, m))
	p, err := Decode(file.Bytes())
	require.NoError(t, err)
	require.Equal(t, want, p.RGB)
}

func TestPortable(t *testing.T) {
	gray := func(list ...byte) (rgb []byte) {
		for _, v := range list {
			rgb = append(rgb, v, v, v)
		}
		return rgb
	}
	for file, want := range map[string]*Picture{
		"P1 # bits\n3 2\n1 0 1\n011":           {2, 3, gray(0, 255, 0, 255, 0, 0)},
		"P2\n2 1 10\n5 10":                     {1, 2, gray(128, 255)},
		"P3 1 1 255 7 8 9\n":                   {1, 1, []byte{7, 8, 9}},
		"P4\n9 2\n\x80\x80\x7f\x00":            {2, 9, gray(0, 255, 255, 255, 255, 255, 255, 255, 0, 255, 0, 0, 0, 0, 0, 0, 0, 255)},
		"P5\n# a line\n2 1\n255\n\x05\x06":     {1, 2, gray(5, 6)},
		"P5 1 1 65535 \x80\x00":                {1, 1, gray(128)},
		"P6 2 1 255\n\x01\x02\x03\x04\x05\x06": {1, 2, []byte{1, 2, 3, 4, 5, 6}},
	} {
		p, err := Decode([]byte(file))
		require.NoError(t, err, file)
		require.Equal(t, want, p, file)
	}
	for _, file := range []string{"P5 2 1 255 \x05", "P5", "P5 a", "P5 1 1 0 \x00", "P6 99999999 99999999 255\n", "P5 0 1 255 ", "P2 1 1 255 ", "P1 1 1 ",
		"P4 8 2 \x00", "P5 1 1 65535 \x80", "P7 1 1 255 \x00", "GIF", ""} {
		_, err := Decode([]byte(file))
		require.Error(t, err, file)
	}
}

// TestJPEG: planes of colour are widened by the rule of the operator's specification.
func TestJPEG(t *testing.T) {
	plane := func(ratio image.YCbCrSubsampleRatio, width, height, stride int, list ...byte) []int {
		m := &image.YCbCr{CStride: stride, SubsampleRatio: ratio}
		return (&Picture{Width: width, Height: height}).widened(m, list)
	}
	require.Equal(t, []int{10, 13, 17, 25, 35, 40}, plane(image.YCbCrSubsampleRatio422, 6, 1, 4, 10, 20, 40, 99))
	require.Equal(t, []int{10, 13, 17, 25, 35}, plane(image.YCbCrSubsampleRatio422, 5, 1, 3, 10, 20, 40))
	require.Equal(t, []int{10, 10, 20, 20}, plane(image.YCbCrSubsampleRatio422, 4, 1, 2, 10, 20), "too narrow to be smooth")
	require.Equal(t, []int{10, 15, 25, 30}, plane(image.YCbCrSubsampleRatio440, 1, 4, 1, 10, 30))
	require.Equal(t, []int{1, 2, 3}, plane(image.YCbCrSubsampleRatio444, 3, 1, 3, 1, 2, 3))
	require.Equal(t, []int{1, 1, 1, 1, 2}, plane(image.YCbCrSubsampleRatio411, 5, 1, 2, 1, 2))
	// Three quarters and one quarter of 10 20 40 and 50 60 80 beside them, and of the rows.
	require.Equal(t, []int{
		10, 12, 18, 25, 35, 40,
		20, 22, 28, 35, 45, 50,
		40, 42, 48, 55, 65, 70,
		50, 52, 58, 65, 75, 80}, plane(image.YCbCrSubsampleRatio420, 6, 4, 3, 10, 20, 40, 50, 60, 80))

	flat := image.NewGray(image.Rect(0, 0, 16, 8))
	for i := range flat.Pix {
		flat.Pix[i] = 77
	}
	var file bytes.Buffer
	require.NoError(t, jpeg.Encode(&file, flat, nil))
	p, err := Decode(file.Bytes())
	require.NoError(t, err)
	require.Equal(t, bytes.Repeat([]byte{77}, 3*16*8), p.RGB)

	p = &Picture{1, 1, make([]byte, 3)}
	p.convertJPEG(&image.YCbCr{Y: []byte{100}, Cb: []byte{90}, Cr: []byte{180}, YStride: 1, CStride: 1, SubsampleRatio: image.YCbCrSubsampleRatio444})
	require.Equal(t, []byte{173, 76, 33}, p.RGB) // 100 + 1.402·52, 100 + 0.344·38 - 0.714·52, 100 - 1.772·38
}

// TestWebP: light from 16 to 235 becomes 0 to 255; colour is spread over the four nearest.
func TestWebP(t *testing.T) {
	convert := func(width, height, stride int, light, blue, red []byte) []byte {
		p := &Picture{height, width, make([]byte, 3*width*height)}
		p.convertWebP(&image.YCbCr{Y: light, Cb: blue, Cr: red, YStride: width, CStride: stride})
		return p.RGB
	}
	require.Equal(t, []byte{0, 0, 0, 255, 255, 255}, convert(2, 1, 1, []byte{16, 235}, []byte{128}, []byte{128}))
	// In the middle of two by two the nearest counts 9, the others 3, 3 and 1: 128 + 9, 3, 3 and 1 of 32 / 16.
	rgb := convert(4, 4, 2, bytes.Repeat([]byte{126}, 16), bytes.Repeat([]byte{128}, 4), []byte{128, 128, 128, 160})
	for at, added := range map[int]float64{0: 0, 5: 2, 6: 6, 9: 6, 10: 18, 15: 32} {
		require.InDelta(t, 128+1.596*added, float64(rgb[3*at]), 1.5, at)
	}
}

func TestGray(t *testing.T) {
	require.Equal(t, []byte{76, 150, 29, 255}, (&Picture{1, 4, []byte{255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255}}).Gray())
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("P4 9 1 \x00\x00"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if p, err := Decode(file); err == nil && len(p.RGB) != 3*p.Height*p.Width {
			t.Error("a picture with another number of pixels")
		}
	})
}

// TestColours: red, green and blue are as JFIF defines them, from each pixel's own light and colours.
func TestColours(t *testing.T) {
	p := &Picture{Height: 2, Width: 3, RGB: make([]byte, 18)}
	p.convertJPEG(&image.YCbCr{Y: []byte{10, 20, 30, 0, 128, 128, 128, 0}, Cb: []byte{128, 128, 128, 0, 128, 228, 128, 0},
		Cr: []byte{128, 128, 128, 0, 178, 128, 128, 0}, YStride: 4, CStride: 4, SubsampleRatio: image.YCbCrSubsampleRatio444})
	// 1.402·50 and 0.714136·50; 0.344136·100 and 1.772·100.
	require.Equal(t, []byte{10, 10, 10, 20, 20, 20, 30, 30, 30, 198, 92, 128, 128, 94, 255, 128, 128, 128}, p.RGB)
}
