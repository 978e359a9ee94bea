package nest_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
)

// testExact compares the floating operations that have one right result with the portable back end's.
func testExact[T float32 | float64](t *testing.T, d dtype.DType) {
	const n = 20000
	r := rand.New(rand.NewPCG(5, 5))
	x, y, want, have := make([]T, n), make([]T, n), make([]T, n), make([]T, n)
	all := doubles(r, n)
	for i, v := range all {
		x[i], y[i] = T(v), T(all[r.IntN(n)])
		switch i % 4 {
		case 0:
			y[i] = x[i] * T(r.Float64())
		case 1:
			y[i] = x[i] / T(1+r.IntN(100))
		}
	}
	for i, v := range specials {
		for k, w := range specials {
			x[i*len(specials)+k], y[i*len(specials)+k] = T(v), T(w)
		}
	}
	for _, op := range []kernel.Op{kernel.Rem, kernel.Mod, kernel.FloorDiv, kernel.NextAfter, kernel.CopySign,
		kernel.Div, kernel.Min, kernel.Max, kernel.MinNum, kernel.MaxNum} {
		k := binaryOf(d, op, n)
		code, err := portable.Compile(k)
		require.NoError(t, err)
		code.Run(&kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0]), unsafe.Pointer(&want[0])},
			Scratch: unsafe.Pointer(&make([]byte, code.Scratch()+64)[0])}, 0, code.Units())
		for level, f := range kerneltest.LevelsHere(t) {
			prepared(t, k, level, x, y, have)()
			for i, v := range want {
				if v != have[i] && (v == v || have[i] == have[i]) {
					t.Errorf("%v %v %v(%g, %g) = %g, want %g", f.Level, d, op, x[i], y[i], have[i], v)
					break
				}
			}
		}
	}
}

func TestExactOperations(t *testing.T) {
	testExact[float32](t, dtype.F32)
	testExact[float64](t, dtype.F64)
}
