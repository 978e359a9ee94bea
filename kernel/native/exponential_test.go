package native

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestExponential compares the exponential function of vector programs with the standard library's, and allows a unit
// in the last place of f32: for numbers from where it is 0 to where it is infinite, and for numbers that are no finite
// numbers.
func TestExponential(t *testing.T) {
	x := []float32{float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 0, float32(math.Copysign(0, -1)), math.MaxFloat32, -math.MaxFloat32}
	for v := float32(-120); v < 95; v += 0.0037 {
		x = append(x, v)
	}
	n := chain(len(x), 1, dtype.F32, func(b *kernel.Builder, x []int) int { return b.Unary(kernel.Exp, x[0]) })
	for _, f := range kerneltest.Levels() {
		if !kerneltest.Executes(f) {
			continue
		}
		code, err := nest.Compile(n, emit.Backend(f))
		require.NoError(t, err)
		in, out := kerneltest.Aligned(4*len(x)), kerneltest.Aligned(4*len(x))
		copy(unsafe.Slice((*float32)(in), len(x)), x)
		code.Run(&kernel.Args{Ptr: []unsafe.Pointer{in, out}, Scratch: kerneltest.Aligned(code.Scratch())}, 0, code.Units())
		code.Close()
		for i, y := range unsafe.Slice((*float32)(out), len(x)) {
			exact := math.Exp(float64(x[i]))
			want := float32(exact)
			if math.IsNaN(exact) || math.IsInf(float64(want), 0) {
				require.Equal(t, math.Float32bits(want)&0x7fc00000, math.Float32bits(y)&0x7fc00000, "%v: exp(%v) = %v", f.Level, x[i], y)
				continue
			}
			place := math.Max(math.Ldexp(1, math.Ilogb(exact)-23), math.SmallestNonzeroFloat32)
			require.LessOrEqual(t, math.Abs(float64(y)-exact)/place, 1.0, "%v: exp(%v) = %v", f.Level, x[i], y)
		}
	}
}
