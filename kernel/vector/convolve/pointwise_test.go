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

// pointwise is a 1×1 convolution of u8 by i8, with a stride, whose result lies inside a border.
func pointwise(r *rand.Rand, stride, border int) *kernel.Convolution {
	c := kerneltest.Layer(1+r.IntN(90), 1+r.IntN(70), 3+r.IntN(20), 1, stride, 0, 1)
	c.N = 1 + r.IntN(2)
	c.X.DType, c.Filter.DType, c.Acc = dtype.U8, dtype.I8, dtype.I32
	c.X.Len *= c.N
	p, q := c.P+2*border, c.Q+2*border
	out := kernel.Access{Port: kernel.Port{DType: dtype.I32, Len: c.N * c.K * p * q, Write: true},
		Outer: []int{c.K * p * q, p * q, q, 1}, Offset: border*q + border}
	bias := kernel.Access{Port: kernel.Port{DType: dtype.I32, Len: c.K}, Outer: []int{0, 1, 0, 0}}
	b := kernel.NewBody()
	b.Store(3, b.Binary(kernel.Sub, b.Input(dtype.I32), b.Load(2, dtype.I32)))
	c.Epilogue = kernel.Epilogue{Access: []kernel.Access{bias, out}, Body: b.Body()}
	return c
}

// TestPointwise: bytes under a 1×1 filter are products, a product of all pixels or one of each row of them where rows
// have gaps, in the image or in the result.
func TestPointwise(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		r := rand.New(rand.NewPCG(13, uint64(f.L2)))
		for i := range 12 {
			stride, border := 1+i%2, i/2%2
			c := pointwise(r, stride, border)
			product, ok := convolution.AsContraction(c)
			require.True(t, ok)
			if rows := stride > 1 || border > 0; rows {
				require.Equal(t, []int{c.N, 1, c.P}, product.Batch)
			}
			code, err := Compile(c, f, emit.Processor, portableNest)
			require.NoError(t, err)
			if kerneltest.Executes(f) {
				require.NoError(t, kerneltest.Check(r, c, code, 0), "%v", c)
			}
			code.Close()
		}
	})
}
