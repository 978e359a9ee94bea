package convolve

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestPatches has the element types that only products take, images that run backwards, filters in
// any order, and results with gaps between rows.
func TestPatches(t *testing.T) {
	types := [][3]dtype.DType{
		{dtype.F64, dtype.F64, dtype.F64}, {dtype.I8, dtype.I8, dtype.I32},
		{dtype.U8, dtype.I8, dtype.I32}, {dtype.I16, dtype.I16, dtype.I32},
		{dtype.I64, dtype.I64, dtype.I64}, {dtype.F32, dtype.F32, dtype.F32},
		{dtype.BF16, dtype.F32, dtype.F32},
	}
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		several, copied := 0, 0
		for i := range 28 {
			r := rand.New(rand.NewPCG(12, uint64(i))) // the same convolutions for all processors
			c := kerneltest.RandomConvolution(r)
			t3 := types[i%len(types)]
			c.X.DType, c.Filter.DType, c.Acc = t3[0], t3[1], t3[2]
			if r.IntN(4) == 0 {
				c.X.Offset += (c.W - 1) * c.X.Strides[3]
				c.X.Strides[3] *= -1
			}
			in := c.C / c.Groups
			if r.IntN(3) == 0 { // as for the gradient of the input
				c.Filter.Strides = [4]int{c.R * c.S, c.K * c.R * c.S, c.S, 1}
				c.Filter.Offset, c.Filter.Len = 0, in*c.K*c.R*c.S
			}
			c.Epilogue = sums(r, c)
			require.NoError(t, kernel.Verify(c))
			code, err := compilePatches(c, f, emit.Processor, portableNest)
			if c.Acc == dtype.I64 && f.Level == cpu.AVX2 {
				require.ErrorIs(t, err, kernel.ErrUnsupported) // it has no such product
				continue
			}
			require.NoError(t, err, "%v", c)
			if kerneltest.Executes(f) {
				require.NoError(t, kerneltest.Check(r, c, code, 64), "%v", c)
			}
			if code.Units() > c.N {
				several++
			}
			if code.PrologueUnits() > 0 {
				copied++
			}
			code.Close()
		}
		require.Greater(t, several, 3)
		require.Greater(t, copied, 3)
	})
}

// sums stores the sums, plus one for each channel, or adds them to what there was.
func sums(r *rand.Rand, c *kernel.Convolution) kernel.Epilogue {
	gap := r.IntN(3) / 2
	s := kerneltest.Dense(r.IntN(2) > 0, c.K, c.P, c.Q+gap)
	y := kernel.Access{Outer: s[:], Port: kernel.Port{DType: c.Acc, Len: c.N * c.K * c.P * (c.Q + gap)}}
	other := y
	if r.IntN(2) == 0 {
		other = kernel.Access{Outer: []int{0, 1, 0, 0}, Port: kernel.Port{DType: c.Acc, Len: c.K}}
		if c.Q+gap != c.Q && r.IntN(2) == 0 {
			other.Outer = []int{0, 0, 0, 1}
			other.Len = c.Q
		}
	}
	y.Write = true
	b := kernel.NewBody()
	b.Store(3, b.Binary(kernel.Add, b.Input(c.Acc), b.Load(2, c.Acc)))
	return kernel.Epilogue{Access: []kernel.Access{other, y}, Body: b.Body()}
}
