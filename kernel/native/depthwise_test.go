package native

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestDepthwise: filters of a channel of their own, wider than the image at their edges, apart, and with a stride.
func TestDepthwise(t *testing.T) {
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 8))
		c := &kernel.Convolution{Name: "depthwise", N: 1, H: 1 + r.IntN(6), W: 1 + r.IntN(9), R: 1 + r.IntN(4), S: 1 + r.IntN(7),
			Stride: [2]int{1, 1 + r.IntN(5)/4}, Dilation: [2]int{1, 1 + r.IntN(2)}, Groups: 3, C: 3, K: 3, Acc: dtype.F32}
		c.Pad = [2]int{c.R / 2, r.IntN(c.S*c.Dilation[1] + 1)}
		c.P = (c.H+2*c.Pad[0]-c.R)/c.Stride[0] + 1
		c.Q = (c.W+2*c.Pad[1]-c.Dilation[1]*(c.S-1)-1)/c.Stride[1] + 1
		if c.P < 1 || c.Q < 1 {
			continue
		}
		image := func(d dtype.DType, extents ...int) kernel.Image {
			s, n := layout(r, extents...)
			return kernel.Image{Port: kernel.Port{DType: d, Len: n}, Strides: [4]int(s)}
		}
		c.X, c.Filter = image([]dtype.DType{dtype.F32, dtype.F16}[seed%2], 1, 3, c.H, c.W), image(dtype.F32, 3, 1, c.R, c.S)
		c.Epilogue = epilogue(r, dtype.F32, []int{1, 3, c.P, c.Q}, 1)
		for _, f := range runnable() {
			code, err := CompileFor(c, f)
			require.NoError(t, err)
			require.NoError(t, kerneltest.Check(r, c, code, 8), "%v, seed %d", f.Level, seed)
			code.Close()
		}
	}
}
