package tensor_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// across and up are where the axes of a figure, 480 by 300 with margins of 56, 28, 12 and 12, have a share of their
// length.
func across(share float64) float64 { return 56 + share*(480-56-12) }
func up(share float64) float64     { return 300 - 28 - share*(300-28-12) }

// TestPlotPlaces: a line goes on through elements that are finite and begins anew after others; the axes are divided in
// four.
func TestPlotPlaces(t *testing.T) {
	svg := tensor.Plot(tensor.Of([]float64{-1, 3, math.NaN(), 7, math.Inf(1), 0, 1}), tensor.Of([]float64{2, 2})).SVG()
	at := func(move string, i int, v float64) string {
		return fmt.Sprintf("%s%.1f %.1f", move, across(float64(i)/6), up((v+1)/8))
	}
	require.Contains(t, svg, `stroke="#0072b2" stroke-width="1.5" d="`+at("M", 0, -1)+at("L", 1, 3)+at("M", 3, 7)+at("M", 5, 0)+at("L", 6, 1)+`"/>`)
	require.Contains(t, svg, `stroke="#d55e00" stroke-width="1.5" d="`+at("M", 0, 2)+at("L", 1, 2)+`"/>`)
	for i := range 5 {
		share := float64(i) / 4
		require.Contains(t, svg, fmt.Sprintf(`<text x="50" y="%.1f" text-anchor="end">%.4g</text>`, up(share)+4, -1+8*share))
		require.Contains(t, svg, fmt.Sprintf(`<text x="%.1f" y="292" text-anchor="middle">%.4g</text>`, across(share), 6*share))
	}
	require.Equal(t, "2 lines of up to 7 elements, from -1 to 7", tensor.Plot(tensor.Of([]float64{-1, 7, 0, 0, 0, 0, 0}), tensor.Ones(2)).String())
	flat := tensor.Plot(tensor.Of([]float64{5, 5})).SVG()
	require.Contains(t, flat, fmt.Sprintf(`d="M%.1f %.1fL%.1f %.1f"`, across(0), up(0.5), across(1), up(0.5)))
	lines := make([]*tensor.Tensor, 7) // one more than there are colours
	for i := range lines {
		lines[i] = tensor.Ones(2)
	}
	require.Equal(t, 2, strings.Count(tensor.Plot(lines...).SVG(), `stroke="#0072b2"`))
}

// TestHistogramPlaces: bars have the width of a bin less a pixel and the height of its count; the last bin has its
// upper end.
func TestHistogramPlaces(t *testing.T) {
	svg := tensor.Histogram(tensor.Of([]float64{0, 0.5, 1, 1.5, 3, 4, math.NaN()}), 4).SVG()
	for i, n := range []float64{2, 2, 0, 2} {
		top := up(n / 2)
		require.Contains(t, svg, fmt.Sprintf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#0072b2"/>`,
			across(float64(i)/4), top, across(0.25)-across(0)-1, up(0)-top))
	}
	for _, c := range []struct {
		bins int
		ok   bool
	}{{0, false}, {1, true}, {1 << 12, true}, {1<<12 + 1, false}} {
		err := tensor.Try(func() { tensor.Histogram(tensor.Ones(2), c.bins) })
		require.Equal(t, c.ok, err == nil, c.bins)
	}
}

// TestOwnGradients: a gradient of the caller's own is taken if it has the extents and the device of its input, and gets
// the input's type; nil is none.
func TestOwnGradients(t *testing.T) {
	x, y := tensor.Of([]float64{1, 2}).RequiresGrad(), tensor.Of([]float64{3}).RequiresGrad()
	with := func(backward func(g []*tensor.Tensor) []*tensor.Tensor) func() []*tensor.Tensor {
		return func() []*tensor.Tensor {
			out := tensor.WithGradient([]*tensor.Tensor{x, y}, func(in []*tensor.Tensor) []*tensor.Tensor {
				return []*tensor.Tensor{in[0].Mul(in[1]), in[1].Exp()}
			}, backward)
			return tensor.Grad([]*tensor.Tensor{out[0].Sum()}, []*tensor.Tensor{x, y}, nil)
		}
	}
	g := with(func(g []*tensor.Tensor) []*tensor.Tensor {
		require.Equal(t, []float64{0}, g[1].Float64s(), "no gradient flows to the second result")
		return []*tensor.Tensor{tensor.Of([]float32{5, 6}), nil}
	})()
	require.Equal(t, []float64{5, 6}, g[0].Float64s())
	require.Equal(t, x.DType(), g[0].DType())
	require.Nil(t, g[1])
	device := acap.Device()
	for want, backward := range map[string]func(g []*tensor.Tensor) []*tensor.Tensor{
		"1 gradients for 2 inputs": func(g []*tensor.Tensor) []*tensor.Tensor { return g[:1] },
		"a gradient of shape [3] on host for an input of shape [2] on host": func([]*tensor.Tensor) []*tensor.Tensor {
			return []*tensor.Tensor{tensor.Ones(3), nil}
		},
		"a gradient of shape [1] on " + device.Name() + " for an input of shape [1] on host": func([]*tensor.Tensor) []*tensor.Tensor {
			return []*tensor.Tensor{nil, tensor.Ones(1).To(device)}
		},
	} {
		require.ErrorContains(t, tensor.Try(func() { with(backward)() }), "with gradient: "+want)
	}
}
