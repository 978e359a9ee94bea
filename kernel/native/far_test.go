package native

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestFarStrides compiles kernels whose elements are up to 2^40 elements apart, for all processors:
// what generated code does not reach is left to the portable back end, and nothing else happens.
func TestFarStrides(t *testing.T) {
	makers := []func(r *rand.Rand) kernel.Kernel{
		randomNest, func(r *rand.Rand) kernel.Kernel { return contraction(r) },
		func(r *rand.Rand) kernel.Kernel { return convolution(r) },
		func(r *rand.Rand) kernel.Kernel { return randomAttention(r) },
		func(r *rand.Rand) kernel.Kernel {
			c := contraction(r)
			withIndex(&c.Epilogue, len(c.Batch)+2, c.Acc)
			return c
		},
	}
	for _, p := range append([]kerneltest.Processor{{Name: "portable"}}, kerneltest.Table...) {
		t.Run(p.Name, func(t *testing.T) {
			for seed := range uint64(longtest.Sample(3, 20, 60)) {
				for i, make := range makers {
					r := rand.New(rand.NewPCG(seed, uint64(i)))
					k := make(r)
					spread(r, k, 10*r.IntN(5))
					require.NoError(t, kernel.Verify(k), "%s", k)
					code, err := CompileFor(k, p.Features)
					require.NoError(t, err)
					code.Close()
				}
			}
		})
	}
}

// TestFarTranspose: lanes run along the loop that they reach.
func TestFarTranspose(t *testing.T) {
	const rows, cols = 64, 1 << 24
	b := kernel.NewBody()
	b.Store(1, b.Unary(kernel.Exp, b.Load(0, dtype.F32)))
	k := &kernel.Nest{Name: "exp", Outer: []int{cols, rows}, Stages: []kernel.Stage{{Body: b.Body()}},
		Access: []kernel.Access{
			{Port: kernel.Port{DType: dtype.F32, Len: rows * cols}, Outer: []int{1, cols}},
			{Port: kernel.Port{DType: dtype.F32, Len: rows * cols, Write: true}, Outer: []int{rows, 1}},
		}}
	for _, f := range kerneltest.Levels() {
		code, err := generate(k, f)
		require.NoError(t, err)
		code.Close()
	}
}

// TestFarBorder compiles convolutions whose border makes rows of the result that no code reaches
// across, with one channel and with many, whose results lie in rows or in lanes of channels.
func TestFarBorder(t *testing.T) {
	const border = 100_000_000
	for _, f := range kerneltest.Levels() {
		for _, channels := range []int{1, 3, 32} {
			for _, pad := range [][2]int{{border, 0}, {0, border}, {3, border}} {
				h, w := 2+2*pad[0], 4+2*pad[1]
				image := func(d dtype.DType, n, c, h, w int) kernel.Image {
					return kernel.Image{Port: kernel.Port{DType: d, Len: n * c * h * w}, Strides: [4]int{c * h * w, h * w, w, 1}}
				}
				sums := dense(dtype.F32, []int{1, channels, h, w})
				sums.Write = true
				b := kernel.NewBody()
				b.Store(2, b.Unary(kernel.Exp, b.Input(dtype.F32)))
				c := &kernel.Convolution{Name: "border", N: 1, C: 1, H: 4, W: 6, K: channels, P: h, Q: w, R: 3, S: 3,
					Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Pad: pad, Groups: 1, Acc: dtype.F32,
					X: image(dtype.F32, 1, 1, 4, 6), Filter: image(dtype.F32, channels, 1, 3, 3),
					Epilogue: kernel.Epilogue{Access: []kernel.Access{sums}, Body: b.Body()}}
				require.NoError(t, kernel.Verify(c))
				code, err := CompileFor(c, f)
				require.NoError(t, err, "%d channels, border %v", channels, pad)
				code.Close()
			}
		}
	}
}
