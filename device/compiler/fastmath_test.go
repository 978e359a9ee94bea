package compiler_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
)

// The level of a configuration reaches kernels of every kind, whichever way it comes.
func TestFastMath(t *testing.T) {
	text := `func.func @main(%x: tensor<3xf32>, %w: tensor<3x3xf32>) -> (tensor<3xf32>, tensor<1x3xf32>) {
  %0 = "aten.mul.Tensor"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = "aten.sub.Scalar"(%0) {other = 1.0 : f64, alpha = 1 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  %2 = "aten.view"(%x) {size = [1, 3]} : (tensor<3xf32>) -> tensor<1x3xf32>
  %3 = "aten.mm"(%2, %w) : (tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<1x3xf32>
  %4 = "aten.div.Scalar"(%3) {other = 3.0 : f64} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %1, %4 : tensor<3xf32>, tensor<1x3xf32>
}`
	e := float32(0x1p-12)
	x := []float32{1 + e, 1 - e, 5}
	compute := func(c device.Config) (one, two []float32) {
		dev, err := device.Configure(host.Device(), c)
		require.NoError(t, err)
		module, err := mlir.Parse("x.mlir", []byte(text))
		require.NoError(t, err)
		exe, err := dev.Compile(context.Background(), module)
		require.NoError(t, err)
		defer exe.Close()
		w := []float32{1, 0, 0, 0, 1, 0, 0, 0, 1}
		out, err := exe.Run(context.Background(), []*buf.Buffer{buf.From(x, 3), buf.From(w, 3, 3)})
		require.NoError(t, err)
		return buf.Slice[float32](out[0]), buf.Slice[float32](out[1])
	}
	read, err := device.ReadConfig(strings.NewReader(`{"fast_math": 2}`))
	require.NoError(t, err)
	require.Equal(t, 2, read.FastMath())
	third := float32(1) / 3
	for level := range 5 {
		c := device.Config{}.WithFastMath(level)
		if level == 2 {
			require.Equal(t, read, c)
		}
		one, two := compute(c)
		for i, v := range x {
			square := float32(v * v) // which keeps Go from fusing it with the difference
			if want := square - 1; level > 0 {
				want = float32(math.FMA(float64(v), float64(v), -1))
				require.Equal(t, want, one[i], level)
			} else {
				require.Equal(t, want, one[i])
			}
			if level > 1 {
				require.Equal(t, v*third, two[i], level)
			} else {
				require.Equal(t, v/3, two[i], level)
			}
		}
	}
	require.True(t, device.Config{}.WithFastMath(0).IsZero())
	for _, level := range []int{-1, 5} {
		require.Panics(t, func() { device.Config{}.WithFastMath(level) })
	}
	_, err = device.ReadConfig(strings.NewReader(`{"fast_math": 5}`))
	require.ErrorContains(t, err, "fast_math: level 5 is not from 0 to 4")
}
