package nest_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// testProduct multiplies rows of numbers whose product every type can hold, with the
// lanes along the rows and across them.
func testProduct[T int32 | int64 | float32 | float64](t *testing.T, d dtype.DType) {
	const rows, cols = 20, 53
	for _, strides := range [][2]int{{cols, 1}, {1, rows}} {
		x, y := make([]T, rows*cols), make([]T, rows)
		want := make([]T, rows)
		for r := range rows {
			want[r] = 1
			for c := range cols {
				v := T(1)
				switch (r + c) % 13 {
				case 0:
					v = T(r%4 + 2)
				case 5:
					v = -1
				}
				x[r*strides[0]+c*strides[1]] = v
				want[r] *= v
			}
		}
		b := kernel.NewBody()
		b.Load(0, d)
		once := kernel.NewBody()
		once.Store(1, once.Acc(0, 0, d))
		n := &kernel.Nest{Name: "product", Outer: []int{rows}, Inner: []int{cols},
			Access: []kernel.Access{
				{Port: kernel.Port{DType: d, Len: rows * cols}, Outer: strides[:1], Inner: strides[1:]},
				{Port: kernel.Port{DType: d, Len: rows, Write: true}, Outer: []int{1}, Inner: []int{0}}},
			Stages: []kernel.Stage{{Body: b.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceProd, Type: d,
				Init: kernel.Bits(d, 1)}}}, {Once: true, Body: once.Body()}}}
		for _, f := range kerneltest.LevelsHere(t) {
			code, err := compile(n, f)
			require.NoError(t, err)
			code.Run(&kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])},
				Scratch: unsafe.Pointer(&make([]byte, code.Scratch()+64)[0])}, 0, code.Units())
			require.Equal(t, want, y, "%v %v %v", f.Level, d, strides)
			code.Close()
		}
	}
}

func TestProducts(t *testing.T) {
	testProduct[int32](t, dtype.I32)
	testProduct[int64](t, dtype.I64)
	testProduct[float32](t, dtype.F32)
	testProduct[float64](t, dtype.F64)
}
