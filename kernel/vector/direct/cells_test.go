package direct

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestCells has images of bytes whose channels or columns lie side by side, with the epilogues of
// quantized programs: sums as they are, as f32, and rounded to bytes in their turn, with channels or
// pixels side by side in the result.
func TestCells(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		orders, inline := map[cellOrder]int{}, 0
		for i := range 90 {
			r := rand.New(rand.NewPCG(31, uint64(i)))
			c := kerneltest.RandomConvolution(r)
			in := []int{cellBytes * (1 + r.IntN(4)), 1 + r.IntN(7), 1 + r.IntN(7)}[i%3]
			if i%3 == 1 {
				c.K, c.Groups = c.K/c.Groups, 1
			}
			if i%3 > 0 {
				c.Dilation[1] = 1
			}
			c.K, c.C = c.K/c.Groups*c.Groups, in*c.Groups
			c.X = kernel.Image{Port: kernel.Port{DType: dtype.U8, Len: c.N * c.C * c.H * c.W},
				Strides: kerneltest.Dense(i%3 == 2, c.C, c.H, c.W)}
			c.Filter = kernel.Image{Port: kernel.Port{DType: dtype.I8, Len: c.K * in * c.R * c.S, Const: c.Filter.Const},
				Strides: kerneltest.Dense(true, in, c.R, c.S)}
			c.Acc = dtype.I32
			c.Epilogue = bytesEpilogue(r, c)
			require.NoError(t, kernel.Verify(c))
			code, _, err := Compile(c, f, emit.Processor, portableNest)
			if !f.VNNI {
				require.ErrorIs(t, err, ErrNoPlan)
				continue
			}
			require.NoError(t, err, "%v", c)
			if cells, ok := inCells(c, f); ok {
				orders[cells.order]++
			}
			if p, err := newPlan(c, f); err == nil && nest.FitsEpilogueAlong(&c.Epilogue, f32, p.laneLoop(), p.rowLoop()) {
				inline++
			}
			if kerneltest.Executes(f) {
				require.NoError(t, kerneltest.Check(r, c, code, 0), "%v", c)
			}
			code.Close()
		}
		if f.VNNI {
			require.Greater(t, orders[channelsInCells], 25)
			require.Greater(t, orders[pixelsInCells], 20)
			require.Equal(t, 30, orders[columnsInCells])
			require.Greater(t, inline, 5)
		} else {
			require.Empty(t, orders)
		}
	})
}

// bytesEpilogue scales sums by a power of two, so that f32 is exact, perhaps adds bytes, as a residual
// does, and stores them as they are, as f32, or as bytes.
func bytesEpilogue(r *rand.Rand, c *kernel.Convolution) kernel.Epilogue {
	s := kerneltest.Dense(r.IntN(3) == 0, c.K, c.P, c.Q)
	as := []dtype.DType{dtype.I32, dtype.F32, dtype.U8, dtype.I8, dtype.U8}[r.IntN(5)]
	y := kernel.Access{Outer: s[:], Port: kernel.Port{DType: as, Len: c.N * c.K * c.P * c.Q, Write: true}}
	b := kernel.NewBody()
	v := b.Input(dtype.I32)
	if as != dtype.I32 {
		v = b.Binary(kernel.Mul, b.Cast(dtype.F32, v), b.Const(dtype.F32, 0x1p-9))
	}
	access := []kernel.Access{y}
	if as != dtype.I32 && r.IntN(2) == 0 {
		x := y
		x.DType, x.Write = []dtype.DType{dtype.I8, dtype.U8}[r.IntN(2)], false
		access = append(access, x)
		bytes := b.Load(3, x.DType)
		switch r.IntN(3) {
		case 0:
			bytes = b.Emit(kernel.Instr{Op: kernel.Bitcast, Type: dtype.U8, A: bytes})
		case 1:
			bytes = b.Cast(dtype.I32, bytes)
		}
		v = b.Binary(kernel.Add, v, b.Cast(dtype.F32, bytes))
	}
	if as == dtype.U8 || as == dtype.I8 {
		low, high := 0.0, 255.0
		if as == dtype.I8 {
			low, high = -128, 127
		}
		v = b.Unary(kernel.RoundEven, v)
		v = b.Binary(kernel.Min, b.Binary(kernel.Max, v, b.Const(dtype.F32, low)), b.Const(dtype.F32, high))
		v = b.Cast(as, b.Cast(dtype.I32, b.Cast(dtype.I64, v)))
	}
	b.Store(2, v)
	return kernel.Epilogue{Access: access, Body: b.Body()}
}
