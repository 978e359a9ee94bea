package native

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestDeferredIsShared: the sums of a large product with an index in its epilogue are as many units as the product
// alone has.
func TestDeferredIsShared(t *testing.T) {
	const n = 1024
	matrix := kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: n * n}, Row: n, Col: 1}
	c := &kernel.Contraction{Name: "c", M: n, N: n, K: n, Acc: dtype.F32, A: matrix, B: matrix}
	out := kernel.Access{Port: kernel.Port{DType: dtype.F32, Len: n * n, Write: true}, Outer: []int{n, 1}}
	c.Epilogue.Access = []kernel.Access{out}
	b := kernel.NewBody()
	b.Store(2, b.Input(dtype.F32))
	c.Epilogue.Body = b.Body()
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		plain, err := CompileFor(c, f)
		require.NoError(t, err)
		with := *c
		withIndex(&with.Epilogue, 2, dtype.F32)
		code, err := CompileFor(&with, f)
		require.NoError(t, err)
		require.Equal(t, plain.Units(), code.PrologueUnits())
		require.Greater(t, plain.Units(), 3)
		require.Equal(t, plain.PrologueUnits(), code.PreparationUnits())
		plain.Close()
		code.Close()
	})
}

// TestDeferredWithoutPreparation: a product whose sums need no first phase has a preparation of no units, which may be
// run.
func TestDeferredWithoutPreparation(t *testing.T) {
	const n = 64
	c := &kernel.Contraction{Name: "c", M: 1, N: n, K: n, Acc: dtype.F32,
		A: kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: n}, Row: n, Col: 1},
		B: kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: n * n}, Row: n, Col: 1}}
	c.Epilogue.Access = []kernel.Access{{Port: kernel.Port{DType: dtype.F32, Len: n, Write: true}, Outer: []int{n, 1}}}
	withIndex(&c.Epilogue, 2, dtype.F32)
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		code, err := CompileFor(c, f)
		require.NoError(t, err)
		defer code.Close()
		require.Zero(t, code.PreparationUnits())
		if !kerneltest.Executes(f) {
			return
		}
		require.NotPanics(t, func() {
			code.RunPreparation(&kernel.Args{Ptr: make([]unsafe.Pointer, 4)}, 0, 0)
		})
	})
}

// TestDeferredFault: a look-up outside its operand, in an epilogue apart from the sums, is a fault of the run. Sums are
// 4x, and places in an operand of eight elements.
func TestDeferredFault(t *testing.T) {
	const n = 4
	matrix := kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: n * n}, Row: n, Col: 1}
	c := &kernel.Contraction{Name: "c", M: n, N: n, K: n, Acc: dtype.F32, A: matrix, B: matrix}
	c.Epilogue.Access = []kernel.Access{
		{Port: kernel.Port{DType: dtype.F32, Len: 8}, Outer: []int{0, 0}},
		{Port: kernel.Port{DType: dtype.F32, Len: n * n, Write: true}, Outer: []int{n, 1}},
	}
	b := kernel.NewBody()
	b.Store(3, b.LoadAt(2, dtype.F32, b.Cast(dtype.I64, b.Input(dtype.F32))))
	c.Epilogue.Body = b.Body()
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		code, err := CompileFor(c, f)
		require.NoError(t, err)
		defer code.Close()
		if !kerneltest.Executes(f) {
			return
		}
		for x, fault := range []uint32{0, 0, 1} {
			var left, right, out [n * n]float32
			for i := range left {
				left[i], right[i] = float32(x), 1
			}
			looked := [8]float32{0: 10, 4: 14}
			args := kerneltest.Execute(rand.New(rand.NewPCG(1, 1)), code, []unsafe.Pointer{
				unsafe.Pointer(&left), unsafe.Pointer(&right), unsafe.Pointer(&looked), unsafe.Pointer(&out)})
			require.Equal(t, fault, args.Fault, "place %d", 4*x)
			if fault == 0 {
				require.Equal(t, float32(10+4*x), out[n*n-1])
			}
		}
	})
}
