package convolve

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// depthwise is a convolution whose image, filter and result each have channels first or last.
func depthwise(r *rand.Rand, image, filter, result bool) *kernel.Convolution {
	upTo := func(n int) int { return 1 + r.IntN(n) }
	channels := 16 + r.IntN(30)
	c := kerneltest.Layer(channels, channels, 8+r.IntN(9), upTo(5), 1, r.IntN(3), channels)
	c.N, c.Stride = upTo(2), [2]int{upTo(3), upTo(3)}
	if c.Dilation = [2]int{upTo(2), upTo(2)}; c.H <= 2*(c.R-1) {
		c.Dilation = [2]int{1, 1}
	}
	c.P = (c.H+2*c.Pad[0]-c.Dilation[0]*(c.R-1)-1)/c.Stride[0] + 1
	c.Q = (c.W+2*c.Pad[1]-c.Dilation[1]*(c.S-1)-1)/c.Stride[1] + 1
	c.X.Strides, c.X.Len = kerneltest.Dense(image, c.C, c.H, c.W), c.N*c.C*c.H*c.W
	if !filter {
		c.Filter.Strides = [4]int{1, 0, c.S * c.K, c.K}
	}
	c.Filter.Const = r.IntN(3) > 0
	c.Filter.Offset = r.IntN(3)
	c.Filter.Len += c.Filter.Offset
	y := kerneltest.Dense(result, c.K, c.P, c.Q)
	c.Epilogue.Access[1].Outer, c.Epilogue.Access[1].Len = y[:], c.N*y[0]
	if !result && (c.Filter.Const || !filter) { // an epilogue of a loop nest may have indices: of the channel and of the row
		b := kernel.NewBody()
		sum := b.Binary(kernel.Add, b.Input(dtype.F32), b.Load(2, dtype.F32))
		for _, loop := range []int{1, 2} {
			sum = b.Binary(kernel.Add, sum, b.Cast(dtype.F32, b.Index(loop)))
		}
		b.Store(3, sum)
		c.Epilogue.Body = b.Body()
	}
	return c
}

// TestChannels: depthwise convolutions with channels first and last, in all mixtures, at borders, and with numbers that
// are not finite.
func TestChannels(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(9, uint64(f.L2)))
		for i := range 24 {
			check(t, r, depthwise(r, i&1 == 0, i&2 == 0, i&4 == 0), f, i%5 == 0)
		}
	})
}

// TestChannelsNative: with channels last in the result, the sums are a loop nest, whatever layout the image has.
func TestChannelsNative(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(10, 1))
		for i := range 4 {
			c := depthwise(r, i&1 == 0, i&2 == 0, false)
			c.Name, c.Filter.Const = "depthwise", true
			nests := 0
			code, err := Compile(c, f, emit.Processor, func(n *kernel.Nest) (kernel.Code, error) {
				if n.Name == c.Name {
					nests++
				}
				return portableNest(n)
			})
			require.NoError(t, err)
			code.Close()
			require.Equal(t, 1, nests, fmt.Sprint(c))
		}
	})
}
