package convolve

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// gradient is the convolution that gives the gradient of a filter: images are channels and the gradient of the result is
// the filter, so that both have the strides of tensors whose first two dimensions are swapped. With groups, the images of
// a channel are its group. The image has a border, or is larger than what the windows meet if pad is negative.
func gradient(images, channels, outputs, rows, columns, filter, pad int, grouped bool) *kernel.Convolution {
	port := func(n int, write bool) kernel.Port { return kernel.Port{DType: dtype.F32, Len: n, Write: write} }
	h, w := max(rows+filter-1-2*pad, 1), columns+filter-1-2*pad
	c := &kernel.Convolution{Name: "gradient", N: channels, C: images, H: h, W: w, K: outputs, P: filter, Q: filter, R: rows, S: columns,
		Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Pad: [2]int{pad, pad}, Groups: 1, Acc: dtype.F32}
	margin := 2*w + 2 // in front of the image and behind it, where nothing may be read
	c.X = kernel.Image{Port: port(images*channels*h*w+2*margin, false), Offset: margin, Strides: [4]int{h * w, channels * h * w, w, 1}}
	c.Filter = kernel.Image{Port: port(images*outputs*rows*columns, false),
		Strides: [4]int{rows * columns, outputs * rows * columns, columns, 1}}
	out := []int{filter * filter, channels * filter * filter, filter, 1}
	if grouped { // channel and image are one loop, in this order
		c.N, c.C, c.Groups = 1, images*channels, channels
		c.X.Strides = [4]int{0, h * w, w, 1}
		out = []int{0, filter * filter, filter, 1}
	}
	y := kernel.Access{Port: port(channels*outputs*filter*filter, true), Outer: out}
	scale := kernel.Access{Port: port(channels*outputs*filter*filter, false), Outer: out}
	b := kernel.NewBody()
	b.Store(2, b.Binary(kernel.Sub, b.Load(3, dtype.F32), b.Binary(kernel.Mul, b.Input(dtype.F32), b.Const(dtype.F32, 0.5))))
	c.Epilogue = kernel.Epilogue{Access: []kernel.Access{y, scale}, Body: b.Body()}
	return c
}

// TestGradients: gradients of depthwise filters, of filters of a few output channels, and of 1×1 filters.
func TestGradients(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(11, uint64(f.L2)))
		for i := range 9 {
			channels, images, rows, pad := 2+r.IntN(20), 1+r.IntN(3), 1+r.IntN(9), i%3-1
			check(t, r, gradient(images, channels, channels, rows, 16+r.IntN(30), 1+r.IntN(5), pad, true), f, i == 1)
			check(t, r, gradient(images, channels, 2*channels, rows, 16+r.IntN(30), 2, pad, true), f, i == 1)
			check(t, r, gradient(images, channels, 1+r.IntN(40), rows, 5+r.IntN(30), 1, pad, false), f, i == 1)
			check(t, r, gradient(images, 1+r.IntN(4), 1+r.IntN(4), rows, 16+r.IntN(30), 2, pad, false), f, i == 1)
		}
	})
}

// TestGradientsNative: the gradient of a depthwise filter is dot products, and the one of a 1×1 filter makes a pixel of
// each image in one tile.
func TestGradientsNative(t *testing.T) {
	depthwise, pointwise := gradient(4, 8, 8, 16, 16, 3, 0, true), gradient(4, 12, 8, 16, 16, 1, 0, false)
	rows, ok := convolution.ImagesAsRows(pointwise)
	require.True(t, ok)
	require.Equal(t, []int{1, 12, 1, 256}, []int{rows.N, rows.P, rows.R, rows.S})
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		nests := 0
		code, err := Compile(depthwise, f, emit.Processor, func(n *kernel.Nest) (kernel.Code, error) {
			nests++
			return portableNest(n)
		})
		require.NoError(t, err)
		code.Close()
		require.Equal(t, 1, nests)
	})
}
