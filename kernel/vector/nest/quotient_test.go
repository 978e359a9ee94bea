package nest_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestQuotients: quotients of rows by a number of the row agree with Go's, but for the last bit of the smallest: there
// the product with the rest of the reciprocal is no normal number; numbers are zeros, infinities, NaN, subnormal ones,
// and any bits.
func TestQuotients(t *testing.T) {
	const rows, columns = 300, 131
	infinite := float32(math.Inf(1))
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, infinite, -infinite, float32(math.NaN()), 0x1p-149, -0x1p-140, 0x1p-126, 0x1p-101,
		0x1p-100, 0x1p100, 0x1.8p100, -0x1p126, math.MaxFloat32, 3, 0x1.fffffep-1}
	r := rand.New(rand.NewPCG(7, 1))
	draw := func() float32 {
		switch r.IntN(3) {
		case 0:
			return special[r.IntN(len(special))]
		case 1:
			return float32(r.NormFloat64())
		}
		return math.Float32frombits(r.Uint32())
	}
	b := kernel.NewBody()
	b.Store(2, b.Binary(kernel.Div, b.Load(0, dtype.F32), b.Load(1, dtype.F32)))
	row := kernel.Access{Port: kernel.Port{DType: dtype.F32, Len: rows * columns}, Outer: []int{columns, 1}}
	by := kernel.Access{Port: kernel.Port{DType: dtype.F32, Len: rows}, Outer: []int{1, 0}}
	out := row
	out.Write = true
	n := &kernel.Nest{Name: "quotients", Outer: []int{rows, columns}, Access: []kernel.Access{row, by, out}, Stages: []kernel.Stage{{Body: b.Body()}}}
	x, y, z := make([]float32, rows*columns), make([]float32, rows), make([]float32, rows*columns)
	for i := range x {
		x[i] = draw()
	}
	for i := range y {
		y[i] = draw()
	}
	copy(y, special)
	for _, f := range kerneltest.LevelsHere(t) {
		code, err := compile(n, f)
		require.NoError(t, err)
		args := &kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0]), unsafe.Pointer(&z[0])},
			Scratch: kerneltest.Aligned(code.Scratch())}
		code.Run(args, 0, code.Units())
		code.Close()
		for i, have := range z {
			a, d := x[i], y[i/columns]
			want := a / d
			if have == want && math.Signbit(float64(have)) == math.Signbit(float64(want)) || have != have && want != want {
				continue
			}
			require.Less(t, math.Abs(float64(want)), 0x1p-100, "%v: %v / %v is %v and not %v", f.Level, a, d, want, have)
			require.Equal(t, math.Nextafter32(want, have), have, "%v: %v / %v is %v", f.Level, a, d, want)
		}
	}
}
