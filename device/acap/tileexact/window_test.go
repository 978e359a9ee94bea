package tileexact_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/tensor"
)

// TestWindows walks what folds windows: several results share a row, which reads what their windows
// cover once, with or without zeros around, with steps between and within windows, several filters
// for an image, and what follows the sum.
func TestWindows(t *testing.T) {
	conv := func(channels, filters, high, wide, r, s int, stride, pad, dilation []int) func(device.Device) *tensor.Tensor {
		return func(dev device.Device) *tensor.Tensor {
			x := tensor.Randn(2, channels, high, wide).To(dev)
			w := tensor.Randn(filters, 1, r, s).To(dev)
			b := tensor.Randn(filters).To(dev)
			return x.Convolution(w, b, stride, pad, dilation, false, []int{0, 0}, channels).ReLU()
		}
	}
	pool := func(high, wide, window, stride, pad int) func(device.Device) *tensor.Tensor {
		return func(dev device.Device) *tensor.Tensor {
			return tensor.Randn(2, 3, high, wide).To(dev).MaxPool2d([]int{window, window},
				tensor.Stride(stride, stride), tensor.Padding(pad, pad))
		}
	}
	for name, build := range map[string]func(device.Device) *tensor.Tensor{
		"3x3":         conv(6, 6, 14, 14, 3, 3, []int{1, 1}, []int{1, 1}, []int{1, 1}),
		"stride":      conv(6, 6, 15, 13, 3, 3, []int{2, 2}, []int{1, 1}, []int{1, 1}),
		"dilation":    conv(5, 5, 12, 16, 3, 2, []int{1, 1}, []int{2, 0}, []int{2, 3}),
		"two filters": conv(4, 8, 9, 9, 5, 5, []int{1, 2}, []int{2, 2}, []int{1, 1}),
		"one row":     conv(4, 4, 1, 40, 1, 5, []int{1, 1}, []int{0, 2}, []int{1, 1}),
		"no padding":  conv(3, 3, 20, 20, 7, 7, []int{3, 3}, []int{0, 0}, []int{1, 1}),
		"pool":        pool(17, 19, 3, 2, 1),
		"pool apart":  pool(16, 16, 2, 2, 0),
		"pool by far": pool(16, 16, 2, 4, 0),
	} {
		for _, preset := range arrays {
			t.Run(fmt.Sprint(name, "/", preset), func(t *testing.T) {
				m, err := machine.Preset(preset)
				require.NoError(t, err)
				check := &tileexact.Checker{Machine: m, Native: native.Compile}
				y := build(check)
				y.Float32s()
				require.Positive(t, walked(t, name, check.Kernels))
			})
		}
	}
}
