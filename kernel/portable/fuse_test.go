package portable

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// TestFusedProducts: a product that an addition or a sum computes is rounded to f32 as one in a loop of its own, in rows of any
// length, and an FMA by numbers of a row has one rounding.
func TestFusedProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for _, cols := range []int{1, 2, 3, 4, 7, 127, 128, 130, 389} {
		const rows = 3
		sum, once, last := kernel.NewBody(), kernel.NewBody(), kernel.NewBody()
		term := sum.Binary(kernel.Mul, sum.Load(0, dtype.F32), sum.Load(1, dtype.F32))
		scale := once.Acc(0, 0, dtype.F32)
		x, y := last.Load(0, dtype.F32), last.Load(1, dtype.F32)
		v := last.FMA(last.Kept(1, 0, dtype.F32), x, last.Const(dtype.F32, 0.1))
		last.Store(2, last.Binary(kernel.Add, v, last.Binary(kernel.Mul, x, y)))
		port := kernel.Access{Port: kernel.Port{DType: dtype.F32, Len: rows * cols}, Outer: []int{cols}, Inner: []int{1}}
		out := port
		out.Write = true
		n := &kernel.Nest{Name: "fused", Outer: []int{rows}, Inner: []int{cols}, Access: []kernel.Access{port, port, out}, Stages: []kernel.Stage{
			{Body: sum.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceSum, Value: term, Type: dtype.F32}}},
			{Once: true, Body: once.Body(), Keep: []int{scale}}, {Body: last.Body()}}}
		a, b, have := make([]float32, rows*cols), make([]float32, rows*cols), make([]float32, rows*cols)
		for i := range a {
			a[i], b[i] = float32(r.IntN(1<<12))*0x1p-11, r.Float32() // so that sums of products are exact in f64
		}
		code, err := Compile(n)
		require.NoError(t, err)
		code.Run(&kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), unsafe.Pointer(&have[0])}}, 0, code.Units())
		for row := range rows {
			x, y := a[row*cols:][:cols], b[row*cols:][:cols]
			total := 0.0
			for i := range x {
				total += float64(x[i] * y[i])
			}
			for i := range x {
				require.Equal(t, fma32(float32(total), x[i], 0.1)+float32(x[i]*y[i]), have[row*cols+i], "%d columns: %d, %d", cols, row, i)
			}
		}
	}
}

// TestProductsOfSums: a product that a sum computes is rounded to f32 before it is added: (1 + 2^-23)² becomes 1 + 2^-22, which
// leaves nothing of a sum with its negative. There are as many terms as are added in turns, and fewer.
func TestProductsOfSums(t *testing.T) {
	const square, rounded = 1 + 0x1p-23, 1 + 0x1p-22
	for _, cols := range []int{2, 8, 9} {
		a, b, have := make([]float32, cols), make([]float32, cols), []float32{1}
		a[0], b[0] = square, square
		a[cols-1], b[cols-1] = -1, rounded
		body, once := kernel.NewBody(), kernel.NewBody()
		term := body.Binary(kernel.Mul, body.Load(0, dtype.F32), body.Load(1, dtype.F32))
		once.Store(2, once.Acc(0, 0, dtype.F32))
		port := kernel.Access{Port: kernel.Port{DType: dtype.F32, Len: cols}, Inner: []int{1}}
		out := kernel.Access{Port: kernel.Port{DType: dtype.F32, Len: 1, Write: true}, Inner: []int{0}}
		n := &kernel.Nest{Name: "sum", Inner: []int{cols}, Access: []kernel.Access{port, port, out}, Stages: []kernel.Stage{
			{Body: body.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceSum, Value: term, Type: dtype.F32}}}, {Once: true, Body: once.Body()}}}
		code, err := Compile(n)
		require.NoError(t, err)
		code.Run(&kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), unsafe.Pointer(&have[0])}}, 0, code.Units())
		require.Zero(t, have[0], "%d columns", cols)
	}
}
