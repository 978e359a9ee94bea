package portable

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// softmax is the row kernel in three stages.
func softmax(rows, cols int) *kernel.Nest {
	x, y, z := kernel.NewBody(), kernel.NewBody(), kernel.NewBody()
	x.Load(0, dtype.F32)
	e := y.Unary(kernel.Exp, y.Binary(kernel.Sub, y.Load(0, dtype.F32), y.Acc(0, 0, dtype.F32)))
	z.Store(1, z.Binary(kernel.Div, z.Kept(1, 0, dtype.F32), z.Acc(1, 0, dtype.F32)))
	port := func(write bool) kernel.Access {
		return kernel.Access{Port: kernel.Port{DType: dtype.F32, Write: write, Len: rows * cols},
			Outer: []int{cols}, Inner: []int{1}}
	}
	return &kernel.Nest{
		Name: "softmax", Outer: []int{rows}, Inner: []int{cols},
		Access: []kernel.Access{port(false), port(true)},
		Stages: []kernel.Stage{
			{Body: x.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceMax, Type: dtype.F32,
				Init: kernel.Bits(dtype.F32, math.Inf(-1))}}},
			{Body: y.Body(), Keep: []int{e}, Reduce: []kernel.Reduction{{Kind: kernel.ReduceSum,
				Value: e, Type: dtype.F32}}},
			{Body: z.Body()},
		},
	}
}

func TestSoftmax(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {3, 7}, {1000, 3}, {2, 1000}, {5, 129}} {
		rows, cols := shape[0], shape[1]
		x, y := make([]float32, rows*cols), make([]float32, rows*cols)
		for i := range x {
			x[i] = float32(i%17) - 5
		}
		code, err := Compile(softmax(rows, cols))
		require.NoError(t, err)
		code.Run(&kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])}},
			0, code.Units())
		for r := range rows {
			sum := 0.0
			for _, v := range x[r*cols : (r+1)*cols] {
				sum += math.Exp(float64(v))
			}
			for c := range cols {
				i := r*cols + c
				require.InEpsilon(t, math.Exp(float64(x[i]))/sum, y[i], 1e-6, "%v %d", shape, i)
			}
		}
	}
}

// TestLargeExponentials holds functions whose results are finite where eˣ, or the
// exponential of some processors, is not.
func TestLargeExponentials(t *testing.T) {
	half := func(x float64) float64 { return math.Exp(x-10) / 2 * math.Exp(10) }
	for op, x := range map[kernel.Op]float64{kernel.Exp: 709.7, kernel.Sinh: 710.2, kernel.Cosh: -710.2} {
		want := half(math.Abs(x))
		if op == kernel.Exp {
			want = 2 * half(x)
		}
		b := kernel.NewBody()
		b.Store(1, b.Unary(op, b.Load(0, dtype.F64)))
		port := kernel.Access{Port: kernel.Port{DType: dtype.F64, Len: 1}, Outer: []int{1}}
		out := port
		out.Write = true
		code, err := Compile(&kernel.Nest{Name: op.String(), Outer: []int{1}, Access: []kernel.Access{port, out},
			Stages: []kernel.Stage{{Body: b.Body()}}})
		require.NoError(t, err)
		var y float64
		code.Run(&kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&x), unsafe.Pointer(&y)}}, 0, code.Units())
		require.InEpsilon(t, want, y, 1e-13, "%v(%g)", op, x)
	}
}
