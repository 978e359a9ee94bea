package nest_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestPairs: rows that go through the stages two by two have their own sums and their own index, whether their number is
// odd or not: x divided by the sum of its row, and the number of the row. Sums are as small and as large as floats are.
func TestPairs(t *testing.T) {
	const columns = 61
	sums := []float32{1, 3, 0x1p-149, 0x1p-130, 0x1p-126, 0x1p126, -0x1.8p127, 7, 5}
	for _, rows := range []int{8, 9} {
		first, last := kernel.NewBody(), kernel.NewBody()
		total := kernel.Reduction{Value: first.Load(0, dtype.F32), Type: dtype.F32}
		share := last.Binary(kernel.Div, last.Load(0, dtype.F32), last.Acc(0, 0, dtype.F32))
		last.Store(1, last.Binary(kernel.Add, share, last.Cast(dtype.F32, last.Index(0))))
		in := kernel.Access{Port: kernel.Port{DType: dtype.F32, Len: rows * columns}, Outer: []int{columns}, Inner: []int{1}}
		out := in
		out.Write = true
		n := &kernel.Nest{Name: "shares", Outer: []int{rows}, Inner: []int{columns}, Access: []kernel.Access{in, out},
			Stages: []kernel.Stage{{Body: first.Body(), Reduce: []kernel.Reduction{total}}, {Body: last.Body()}}}
		x, y := make([]float32, rows*columns), make([]float32, rows*columns)
		for row := range rows {
			x[row*columns+7*row] = sums[row]
		}
		for _, f := range kerneltest.LevelsHere(t) {
			code, err := compile(n, f)
			require.NoError(t, err)
			code.Run(&kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])}, Scratch: kerneltest.Aligned(code.Scratch())},
				0, code.Units())
			code.Close()
			for i, have := range y {
				want := float32(i / columns)
				if i%columns == 7*(i/columns) {
					want++
				}
				require.Equal(t, want, have, "%v: row %d of %d, element %d", f.Level, i/columns, rows, i%columns)
			}
		}
	}
}
