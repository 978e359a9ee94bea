package tensor_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

func ExampleTensor_Describe() {
	fmt.Print(tensor.Of([]float32{0, 1, 1, 2, 3, 5, 8, 13}).Describe())
	// Output:
	// f32[8] on host, 8 elements, 1 zero
	// mean 4.125, deviation 4.136
	// least 0, quarter 1, median 3, three quarters 5, greatest 13
	// 0 ▄  █  ▄  ▄     ▄        ▄              ▄ 13
}

func TestDescribe(t *testing.T) {
	odd := tensor.Of([]float64{math.NaN(), math.Inf(1), math.MaxFloat64, -math.MaxFloat64, 0})
	require.Contains(t, odd.Describe(), "5 elements, 1 zero, 1 infinite, 1 NaN")
	some := tensor.Of([]float64{1, math.NaN(), 3, math.Inf(-1), 8}).Describe()
	require.Contains(t, some, "5 elements, 1 infinite, 1 NaN\nmean 4, deviation 2.944\nleast 1, quarter 3, median 3, three quarters 8, greatest 8\n1 ")
	require.Contains(t, tensor.Zeros(0).Describe(), "0 elements\n")
	require.Contains(t, tensor.Of([]complex64{3 + 4i}).Describe(), "mean 5")
	require.Contains(t, tensor.Of([]bool{true, false}).Describe(), "mean 0.5")
	require.Contains(t, tensor.FullLike(7, dtype.I64, 3).Describe(), "deviation 0")
}

func TestImage(t *testing.T) {
	gray := tensor.Image(tensor.Of([]float32{0, 0.5, 1, 2, -1, float32(math.NaN())}, 1, 1, 2, 3))
	require.Equal(t, 3, gray.Bounds().Dx())
	for i, want := range []uint8{0, 128, 255, 255, 0, 0} {
		require.Equal(t, color.Gray{Y: want}, gray.At(i%3, i/3), i)
	}
	picture := tensor.Image(tensor.Of([]uint8{1, 2, 3, 4, 5, 6}, 3, 1, 2))
	require.Equal(t, color.NRGBA{R: 2, G: 4, B: 6, A: 255}, picture.At(1, 0))
	for _, x := range []*tensor.Tensor{tensor.Zeros(3), tensor.Zeros(2, 4, 4), tensor.Of([]complex64{1}, 1, 1)} {
		require.Error(t, tensor.Try(func() { tensor.Image(x) }))
	}
}

// requireXML says whether a text is XML to its end.
func requireXML(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else {
			require.NoError(t, err)
		}
	}
}

func TestFigures(t *testing.T) {
	f := tensor.Plot(tensor.Of([]float64{1, 2, math.NaN(), 4}), tensor.Arange(3))
	requireXML(t, f.SVG())
	require.NotContains(t, f.SVG(), "NaN")
	require.Equal(t, 3, strings.Count(f.SVG(), `d="M56.0`)+strings.Count(f.SVG(), "M468.0"), "two lines, one of them in two parts")
	require.Equal(t, f.SVG(), f.SimpleRender()["image/svg+xml"])
	h := tensor.Histogram(tensor.Of([]float32{1, 1, 2, float32(math.Inf(1))}), 2)
	requireXML(t, h.SVG())
	require.Equal(t, "1 █▄ 2", h.String())
	path := filepath.Join(t.TempDir(), "a.svg")
	require.NoError(t, h.WriteFile(path))
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, h.SVG(), string(b))
	require.Error(t, h.WriteFile(path+".png"))
	requireXML(t, tensor.Plot(tensor.Scalar(1.0)).SVG())
	for _, f := range []func(){
		func() { tensor.Plot() }, func() { tensor.Plot(tensor.Zeros(0)) }, func() { tensor.Plot(tensor.Zeros(2, 2)) },
		func() { tensor.Histogram(tensor.Ones(2), 0) }, func() { tensor.Histogram(tensor.Zeros(0), 3) },
	} {
		require.Error(t, tensor.Try(f))
	}
}
