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
// a channel are its group.
func gradient(r *rand.Rand, images, channels, outputs, rows, columns, filter int, grouped bool) *kernel.Convolution {
	port := func(n int, write bool) kernel.Port { return kernel.Port{DType: dtype.F32, Len: n, Write: write} }
	h, w := rows+filter-1, columns+filter-1
	c := &kernel.Convolution{Name: "gradient", N: channels, C: images, H: h, W: w, K: outputs, P: filter, Q: filter, R: rows, S: columns,
		Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Groups: 1, Acc: dtype.F32}
	c.X = kernel.Image{Port: port(images*channels*h*w, false), Strides: [4]int{h * w, channels * h * w, w, 1}}
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
		for i := range 6 {
			channels := 2 + r.IntN(20)
			check(t, r, gradient(r, 1+r.IntN(3), channels, channels, 1+r.IntN(9), 16+r.IntN(30), 1+r.IntN(5), true), f, i == 1)
			check(t, r, gradient(r, 1+r.IntN(3), channels, 1+r.IntN(40), 1+r.IntN(9), 5+r.IntN(30), 1, false), f, i == 1)
			check(t, r, gradient(r, 1+r.IntN(3), 1+r.IntN(4), 1+r.IntN(4), 1+r.IntN(9), 16+r.IntN(30), 2, false), f, i == 1)
		}
	})
}

// TestGradientsNative: the gradient of a depthwise filter is dot products, and the one of a 1×1 filter makes a pixel of
// each image in one tile.
func TestGradientsNative(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	depthwise, pointwise := gradient(r, 4, 8, 8, 16, 16, 3, true), gradient(r, 4, 12, 8, 16, 16, 1, false)
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
